(define (problem matching-blocksworld-n5-s0)
  (:domain matching-bw-typed)
  (:objects
    h1 h2 - hand b1 b2 b3 b4 b5 - block)
  (:init
    (empty h1) (empty h2) (hand-positive h1) (hand-negative h2) (block-positive b1)
    (block-positive b2) (block-negative b3) (block-negative b4) (block-negative b5) (solid b1)
    (solid b2) (solid b3) (solid b4) (solid b5) (on b1 b2) (on-table b2) (on-table b3) (on b4 b5)
    (on-table b5) (clear b1) (clear b3) (clear b4))
  (:goal
    (on b5 b1)))
