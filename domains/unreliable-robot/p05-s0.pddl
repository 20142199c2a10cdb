(define (problem unreliable-robot-5-s0)
  (:domain unreliable-robot)
  (:objects
    shakey - robot m l1 l2 l3 l4 l5 r1 r2 r3 r4 r5 - place)
  (:init
    (at shakey m) (path m l1) (path l1 l2) (path l2 l3) (path l3 l4) (path l4 l5) (path m r1)
    (path r1 r2) (path r2 r3) (path r3 r4) (path r4 r5))
  (:goal
    (at shakey l5)))
