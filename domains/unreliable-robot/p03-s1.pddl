(define (problem unreliable-robot-3-s1)
  (:domain unreliable-robot)
  (:objects
    shakey - robot m l1 l2 l3 r1 r2 r3 - place)
  (:init
    (at shakey m) (path m l1) (path l1 l2) (path l2 l3) (path m r1) (path r1 r2) (path r2 r3))
  (:goal
    (at shakey r3)))
