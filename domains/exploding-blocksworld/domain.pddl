; Exploding Blocksworld: a block that is put somewhere may detonate, once, and destroy what it was
; put on. A destroyed block can be neither moved nor built on; a destroyed table takes no blocks.
(define (domain exploding-blocksworld)
  (:requirements
    :typing :equality :negative-preconditions :conditional-effects :probabilistic-effects)
  (:types block)

  (:predicates
    (on ?top ?bottom - block)
    (on-table ?b - block)
    (clear ?b - block)          ; nothing stands on ?b; a held block is clear
    (holding ?b - block)
    (emptyhand)
    (no-detonated ?b - block)   ; ?b can still explode
    (no-destroyed ?b - block)
    (no-destroyed-table))

  (:action pick-up
    :parameters (?top ?bottom - block)
    :precondition (and (emptyhand) (clear ?top) (on ?top ?bottom) (no-destroyed ?top))
    :effect (and (holding ?top) (clear ?bottom) (not (emptyhand)) (not (on ?top ?bottom))))

  (:action pick-up-from-table
    :parameters (?b - block)
    :precondition (and (emptyhand) (clear ?b) (on-table ?b) (no-destroyed ?b))
    :effect (and (holding ?b) (not (emptyhand)) (not (on-table ?b))))

  (:action put-down
    :parameters (?b - block)
    :precondition (and (holding ?b) (no-destroyed-table))
    :effect (and
      (emptyhand) (on-table ?b) (not (holding ?b))
      (probabilistic
        0.4 (when (no-detonated ?b)
              (and (not (no-detonated ?b)) (not (no-destroyed-table)))))))

  (:action put-on-block
    :parameters (?top ?bottom - block)
    :precondition (and
      (holding ?top) (clear ?bottom) (no-destroyed ?bottom) (not (= ?top ?bottom)))
    :effect (and
      (emptyhand) (on ?top ?bottom) (not (holding ?top)) (not (clear ?bottom))
      (probabilistic
        0.1 (when (no-detonated ?top)
              (and (not (no-detonated ?top)) (not (no-destroyed ?bottom))))))))
