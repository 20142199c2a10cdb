; Blocksworld: one hand rebuilds towers of blocks on a table that has room for all of them.
(define (domain blocks)
  (:requirements :strips :typing)
  (:types block)

  (:predicates
    (on ?top ?bottom - block)   ; ?top stands directly on ?bottom
    (ontable ?b - block)
    (clear ?b - block)          ; nothing stands on ?b, and it is not held
    (holding ?b - block)
    (handempty))

  ; The hand takes a block from the table ...
  (:action pick-up
    :parameters (?b - block)
    :precondition (and (clear ?b) (ontable ?b) (handempty))
    :effect (and (holding ?b) (not (ontable ?b)) (not (clear ?b)) (not (handempty))))

  ; ... or puts it there;
  (:action put-down
    :parameters (?b - block)
    :precondition (holding ?b)
    :effect (and (clear ?b) (handempty) (ontable ?b) (not (holding ?b))))

  ; it puts a block on top of a tower ...
  (:action stack
    :parameters (?top ?bottom - block)
    :precondition (and (holding ?top) (clear ?bottom))
    :effect (and
      (clear ?top) (handempty) (on ?top ?bottom)
      (not (holding ?top)) (not (clear ?bottom))))

  ; ... or takes the topmost one.
  (:action unstack
    :parameters (?top ?bottom - block)
    :precondition (and (on ?top ?bottom) (clear ?top) (handempty))
    :effect (and
      (holding ?top) (clear ?bottom)
      (not (on ?top ?bottom)) (not (clear ?top)) (not (handempty)))))
