; CosaNostra Pizza: fetch a pizza, deliver it past a row of toll booths, and drive back past them.
; Whoever drives on without paying leaves an angry operator behind for the way back.
(define (domain cosanostra)
  (:requirements
    :typing :negative-preconditions :conditional-effects :probabilistic-effects)
  (:types
    toll-booth open-intersection - location
    location - object)

  (:predicates
    (road ?from ?to - location)
    (deliverator-at ?l - location)
    (pizza-at ?l - location)
    (have-pizza)
    (tires-intact)                      ; the car can still drive
    (open ?booth - toll-booth)          ; this operator has been paid
    (operator-angry ?booth - toll-booth))

  (:action load-pizza
    :parameters (?l - location)
    :precondition (and (deliverator-at ?l) (pizza-at ?l))
    :effect (and (have-pizza) (not (pizza-at ?l))))

  (:action unload-pizza
    :parameters (?l - location)
    :precondition (and (deliverator-at ?l) (have-pizza))
    :effect (and (pizza-at ?l) (not (have-pizza))))

  (:action pay-operator
    :parameters (?booth - toll-booth)
    :precondition (deliverator-at ?booth)
    :effect (open ?booth))

  ; An angry operator crushes the car half of the time, even if paid since. A car that is not
  ; crushed drives on. Leaving unpaid makes the operator angry from then on.
  (:action leave-toll-booth
    :parameters (?booth - toll-booth ?to - location)
    :precondition (and (deliverator-at ?booth) (tires-intact) (road ?booth ?to))
    :effect (and
      (when (operator-angry ?booth)
        (probabilistic
          0.5 (not (tires-intact))
          0.5 (and (deliverator-at ?to) (not (deliverator-at ?booth)))))
      (when (not (operator-angry ?booth))
        (and (deliverator-at ?to) (not (deliverator-at ?booth))))
      (when (not (open ?booth))
        (operator-angry ?booth))))

  (:action leave-open-intersection
    :parameters (?from - open-intersection ?to - location)
    :precondition (and (deliverator-at ?from) (tires-intact) (road ?from ?to))
    :effect (and (deliverator-at ?to) (not (deliverator-at ?from)))))
