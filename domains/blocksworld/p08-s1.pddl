(define (problem blocksworld-n8-s1)
  (:domain blocks)
  (:objects
    b1 b2 b3 b4 b5 b6 b7 b8 - block)
  (:init
    (handempty) (on b1 b4) (on b2 b3) (on b3 b1) (on b4 b5) (ontable b5) (ontable b6) (on b7 b6)
    (on b8 b7) (clear b2) (clear b8))
  (:goal
    (and (handempty) (on b1 b6) (on b2 b5) (ontable b3) (on b4 b3) (ontable b5) (on b6 b4)
    (ontable b7) (on b8 b7) (clear b1) (clear b2) (clear b8))))
