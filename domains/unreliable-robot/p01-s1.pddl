(define (problem unreliable-robot-1-s1)
  (:domain unreliable-robot)
  (:objects
    shakey - robot m l1 r1 - place)
  (:init
    (at shakey m) (path m l1) (path m r1))
  (:goal
    (at shakey r1)))
