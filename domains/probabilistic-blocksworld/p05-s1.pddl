(define (problem probabilistic-blocksworld-n5-s1)
  (:domain prob_bw)
  (:objects
    b1 b2 b3 b4 b5 - block)
  (:init
    (emptyhand) (on b1 b2) (on b2 b4) (on-table b3) (on b4 b3) (on b5 b1) (clear b5))
  (:goal
    (and (emptyhand) (on b1 b5) (on b2 b1) (on-table b3) (on-table b4) (on b5 b3) (clear b2)
    (clear b4))))
