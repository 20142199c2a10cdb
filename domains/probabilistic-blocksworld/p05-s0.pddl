(define (problem probabilistic-blocksworld-n5-s0)
  (:domain prob_bw)
  (:objects
    b1 b2 b3 b4 b5 - block)
  (:init
    (emptyhand) (on b1 b2) (on-table b2) (on-table b3) (on b4 b5) (on-table b5) (clear b1)
    (clear b3) (clear b4))
  (:goal
    (and (emptyhand) (on-table b1) (on-table b2) (on-table b3) (on-table b4) (on b5 b1) (clear b2)
    (clear b3) (clear b4) (clear b5))))
