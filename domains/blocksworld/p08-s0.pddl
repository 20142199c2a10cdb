(define (problem blocksworld-n8-s0)
  (:domain blocks)
  (:objects
    b1 b2 b3 b4 b5 b6 b7 b8 - block)
  (:init
    (handempty) (on b1 b3) (on b2 b6) (on b3 b5) (on b4 b2) (on b5 b4) (ontable b6) (ontable b7)
    (ontable b8) (clear b1) (clear b7) (clear b8))
  (:goal
    (and (handempty) (on b1 b5) (ontable b2) (on b3 b7) (on b4 b6) (ontable b5) (on b6 b2)
    (on b7 b1) (on b8 b4) (clear b3) (clear b8))))
