; Probabilistic Blocksworld: the hand slips one time in four, and the block falls onto the table.
(define (domain prob_bw)
  (:requirements :typing :equality :negative-preconditions :probabilistic-effects)
  (:types block)

  (:predicates
    (on ?top ?bottom - block)
    (on-table ?b - block)
    (clear ?b - block)          ; nothing stands on ?b; a held block is clear
    (holding ?b - block)
    (emptyhand))

  ; Taking the top of a tower: it ends in the hand or on the table.
  (:action pick-up
    :parameters (?top ?bottom - block)
    :precondition (and (emptyhand) (clear ?top) (on ?top ?bottom))
    :effect (probabilistic
      0.75 (and (holding ?top) (clear ?bottom) (not (emptyhand)) (not (on ?top ?bottom)))
      0.25 (and (on-table ?top) (clear ?bottom) (not (on ?top ?bottom)))))

  ; A block that slips here is where it was.
  (:action pick-up-from-table
    :parameters (?b - block)
    :precondition (and (emptyhand) (clear ?b) (on-table ?b))
    :effect (probabilistic
      0.75 (and (holding ?b) (not (emptyhand)) (not (on-table ?b)))))

  ; Stacking: it ends on the tower or on the table.
  (:action put-on-block
    :parameters (?top ?bottom - block)
    :precondition (and (holding ?top) (clear ?top) (clear ?bottom) (not (= ?top ?bottom)))
    :effect (probabilistic
      0.75 (and
        (on ?top ?bottom) (emptyhand) (clear ?top)
        (not (holding ?top)) (not (clear ?bottom)))
      0.25 (and
        (on-table ?top) (emptyhand) (clear ?top)
        (not (holding ?top)))))

  ; Putting a block on the table always works.
  (:action put-down
    :parameters (?b - block)
    :precondition (and (holding ?b) (clear ?b))
    :effect (and (on-table ?b) (emptyhand) (clear ?b) (not (holding ?b)))))
