(define (problem blocksworld-n4-s0)
  (:domain blocks)
  (:objects
    b1 b2 b3 b4 - block)
  (:init
    (handempty) (on b1 b2) (ontable b2) (ontable b3) (on b4 b1) (clear b3) (clear b4))
  (:goal
    (and (handempty) (ontable b1) (ontable b2) (on b3 b2) (on b4 b1) (clear b3) (clear b4))))
