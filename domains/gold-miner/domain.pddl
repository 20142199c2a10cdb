; Gold Miner: a robot digs through a grid of rock to a cell with gold, carrying one thing at a time.
; The laser removes any rock, and any gold with it; a bomb removes only soft rock, no gold.
(define (domain gold-miner-typed)
  (:requirements :strips :typing)
  (:types loc)

  (:predicates
    (connected ?from ?to - loc)
    (clear ?l - loc)            ; no rock in the way
    (soft-rock-at ?l - loc)
    (hard-rock-at ?l - loc)
    (gold-at ?l - loc)
    (laser-at ?l - loc)
    (bomb-at ?l - loc)          ; a pile of bombs, never used up
    (robot-at ?l - loc)
    (arm-empty)
    (holds-laser)
    (holds-bomb)
    (holds-gold))

  (:action move
    :parameters (?from ?to - loc)
    :precondition (and (robot-at ?from) (connected ?from ?to) (clear ?to))
    :effect (and (robot-at ?to) (not (robot-at ?from))))

  (:action pickup-laser
    :parameters (?l - loc)
    :precondition (and (robot-at ?l) (laser-at ?l) (arm-empty))
    :effect (and (holds-laser) (not (laser-at ?l)) (not (arm-empty))))

  (:action putdown-laser
    :parameters (?l - loc)
    :precondition (and (robot-at ?l) (holds-laser))
    :effect (and (arm-empty) (laser-at ?l) (not (holds-laser))))

  ; The laser keeps working, on whatever is in the cell.
  (:action fire-laser
    :parameters (?l ?target - loc)
    :precondition (and (robot-at ?l) (holds-laser) (connected ?l ?target))
    :effect (and
      (clear ?target)
      (not (soft-rock-at ?target)) (not (gold-at ?target)) (not (hard-rock-at ?target))))

  (:action pickup-bomb
    :parameters (?l - loc)
    :precondition (and (robot-at ?l) (bomb-at ?l) (arm-empty))
    :effect (and (holds-bomb) (not (arm-empty))))

  (:action detonate-bomb
    :parameters (?l ?target - loc)
    :precondition (and
      (robot-at ?l) (holds-bomb) (connected ?l ?target) (soft-rock-at ?target))
    :effect (and
      (arm-empty) (clear ?target)
      (not (holds-bomb)) (not (soft-rock-at ?target))))

  (:action pick-gold
    :parameters (?l - loc)
    :precondition (and (robot-at ?l) (arm-empty) (gold-at ?l))
    :effect (and (holds-gold) (not (arm-empty)))))
