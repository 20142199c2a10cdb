; Unreliable Robot: moving between places works nine times in ten, else the robot stays put.
(define (domain unreliable-robot)
  (:requirements :typing :probabilistic-effects)
  (:types robot place)

  (:predicates
    (path ?from ?to - place)      ; one-way
    (at ?r - robot ?p - place))

  (:action drive
    :parameters (?r - robot ?from ?to - place)
    :precondition (and (at ?r ?from) (path ?from ?to))
    :effect (probabilistic
      0.9 (and (at ?r ?to) (not (at ?r ?from))))))
