; Triangle Tireworld: every move may flatten a tire, and only some locations have a spare.
(define (domain triangle-tire)
  (:requirements :typing :probabilistic-effects)
  (:types location)

  (:predicates
    (road ?from ?to - location)   ; one-way
    (spare-in ?l - location)
    (vehicle-at ?l - location)
    (not-flattire))

  ; The car arrives in any case, half of the time with a flat tire.
  (:action move-car
    :parameters (?from ?to - location)
    :precondition (and (vehicle-at ?from) (road ?from ?to) (not-flattire))
    :effect (and
      (vehicle-at ?to) (not (vehicle-at ?from))
      (probabilistic 0.5 (not (not-flattire)))))

  ; A location's only spare goes onto the car.
  (:action changetire
    :parameters (?l - location)
    :precondition (and (spare-in ?l) (vehicle-at ?l))
    :effect (and (not-flattire) (not (spare-in ?l)))))
