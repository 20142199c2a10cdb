(define (problem matching-blocksworld-n6-s0)
  (:domain matching-bw-typed)
  (:objects
    h1 h2 - hand b1 b2 b3 b4 b5 b6 - block)
  (:init
    (empty h1) (empty h2) (hand-positive h1) (hand-negative h2) (block-positive b1)
    (block-positive b2) (block-positive b3) (block-negative b4) (block-negative b5)
    (block-negative b6) (solid b1) (solid b2) (solid b3) (solid b4) (solid b5) (solid b6)
    (on b1 b2) (on b2 b3) (on-table b3) (on-table b4) (on-table b5) (on b6 b1) (clear b4)
    (clear b5) (clear b6))
  (:goal
    (and (on b1 b3) (on b2 b5) (on b5 b6) (on b6 b4))))
