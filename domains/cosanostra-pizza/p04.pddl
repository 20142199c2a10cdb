(define (problem cosanostra-pizza-4)
  (:domain cosanostra)
  (:objects
    b0 b1 b2 b3 - toll-booth shop home - open-intersection)
  (:init
    (deliverator-at shop) (pizza-at shop) (tires-intact) (road shop b0) (road b0 shop)
    (road b0 b1) (road b1 b0) (road b1 b2) (road b2 b1) (road b2 b3) (road b3 b2) (road b3 home)
    (road home b3))
  (:goal
    (and (pizza-at home) (deliverator-at shop))))
