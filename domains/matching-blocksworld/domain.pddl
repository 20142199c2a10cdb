; Matching Blocksworld: two hands and all blocks have a polarity. Either hand takes any block, but a
; block set down by the hand of the other polarity is damaged: nothing can stand on it any more.
(define (domain matching-bw-typed)
  (:requirements :strips :typing)
  (:types block hand)

  (:predicates
    (hand-positive ?h - hand)
    (hand-negative ?h - hand)
    (block-positive ?b - block)
    (block-negative ?b - block)
    (solid ?b - block)          ; ?b is not damaged
    (on ?top ?bottom - block)
    (on-table ?b - block)
    (clear ?b - block)
    (holding ?h - hand ?b - block)
    (empty ?h - hand))

  ; Taking a block does no harm, whichever the hand.
  (:action pickup
    :parameters (?h - hand ?b - block)
    :precondition (and (clear ?b) (on-table ?b) (empty ?h))
    :effect (and
      (holding ?h ?b)
      (not (clear ?b)) (not (on-table ?b)) (not (empty ?h))))

  (:action unstack
    :parameters (?h - hand ?top ?bottom - block)
    :precondition (and (on ?top ?bottom) (clear ?top) (empty ?h))
    :effect (and
      (holding ?h ?top) (clear ?bottom)
      (not (on ?top ?bottom)) (not (clear ?top)) (not (empty ?h))))

  ; Setting down: the names give the polarity of the hand, then that of the block.
  (:action putdown-pos-pos
    :parameters (?h - hand ?b - block)
    :precondition (and (holding ?h ?b) (hand-positive ?h) (block-positive ?b))
    :effect (and (empty ?h) (on-table ?b) (clear ?b) (not (holding ?h ?b))))

  (:action putdown-neg-neg
    :parameters (?h - hand ?b - block)
    :precondition (and (holding ?h ?b) (hand-negative ?h) (block-negative ?b))
    :effect (and (empty ?h) (on-table ?b) (clear ?b) (not (holding ?h ?b))))

  (:action putdown-pos-neg
    :parameters (?h - hand ?b - block)
    :precondition (and (holding ?h ?b) (hand-positive ?h) (block-negative ?b))
    :effect (and (empty ?h) (on-table ?b) (clear ?b) (not (solid ?b)) (not (holding ?h ?b))))

  (:action putdown-neg-pos
    :parameters (?h - hand ?b - block)
    :precondition (and (holding ?h ?b) (hand-negative ?h) (block-positive ?b))
    :effect (and (empty ?h) (on-table ?b) (not (solid ?b)) (clear ?b) (not (holding ?h ?b))))

  ; Stacking, named likewise, asks for a clear and solid block below.
  (:action stack-pos-pos
    :parameters (?h - hand ?top ?bottom - block)
    :precondition (and
      (clear ?bottom) (solid ?bottom)
      (holding ?h ?top) (hand-positive ?h) (block-positive ?top))
    :effect (and
      (empty ?h) (on ?top ?bottom) (clear ?top)
      (not (holding ?h ?top)) (not (clear ?bottom))))

  (:action stack-neg-neg
    :parameters (?h - hand ?top ?bottom - block)
    :precondition (and
      (clear ?bottom) (solid ?bottom)
      (holding ?h ?top) (hand-negative ?h) (block-negative ?top))
    :effect (and
      (empty ?h) (on ?top ?bottom) (clear ?top)
      (not (holding ?h ?top)) (not (clear ?bottom))))

  (:action stack-pos-neg
    :parameters (?h - hand ?top ?bottom - block)
    :precondition (and
      (clear ?bottom) (solid ?bottom)
      (holding ?h ?top) (hand-positive ?h) (block-negative ?top))
    :effect (and
      (empty ?h) (on ?top ?bottom) (not (solid ?top)) (clear ?top)
      (not (holding ?h ?top)) (not (clear ?bottom))))

  (:action stack-neg-pos
    :parameters (?h - hand ?top ?bottom - block)
    :precondition (and
      (clear ?bottom) (solid ?bottom)
      (holding ?h ?top) (hand-negative ?h) (block-positive ?top))
    :effect (and
      (empty ?h) (on ?top ?bottom) (not (solid ?top)) (clear ?top)
      (not (holding ?h ?top)) (not (clear ?bottom)))))
