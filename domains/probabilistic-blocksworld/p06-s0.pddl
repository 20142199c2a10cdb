(define (problem probabilistic-blocksworld-n6-s0)
  (:domain prob_bw)
  (:objects
    b1 b2 b3 b4 b5 b6 - block)
  (:init
    (emptyhand) (on b1 b2) (on b2 b3) (on-table b3) (on-table b4) (on-table b5) (on b6 b1)
    (clear b4) (clear b5) (clear b6))
  (:goal
    (and (emptyhand) (on b1 b3) (on b2 b5) (on-table b3) (on-table b4) (on b5 b6) (on b6 b4)
    (clear b1) (clear b2))))
