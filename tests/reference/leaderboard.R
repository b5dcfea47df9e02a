# Reference values for evalstats/leaderboard.py from R's multcomp: simultaneous intervals of all pairwise differences of
# means on shared items (multivariate t with the covariance of the means).
#
#   Rscript tests/reference/leaderboard.R > tests/reference/leaderboard.json
#
# The scores are made by arithmetic, so that no two generators of random numbers have to agree:
# tests/stats/test_leaderboard.py makes the same ones.

suppressMessages(library(multcomp))
set.seed(1)  # of qmvt, whose error is asked to be below 1e-4

scores <- function(k, n) {
  i <- seq_len(n)
  sapply(seq_len(k), function(j) ((i * i * 7 + 3 * i) %% 31) / 31 + ((i * (11 + 2 * j) + j * j * 5) %% 23) / 23 + j / 10)
}

out <- list()
for (case in list(c(3, 20), c(5, 40), c(8, 120))) {
  k <- case[1]; n <- case[2]
  x <- scores(k, n)
  names <- paste0("s", seq_len(k))
  coef <- setNames(colMeans(x), names)
  contrasts <- -contrMat(setNames(rep(n, k), names), "Tukey")  # contrMat has the later minus the earlier
  fit <- glht(parm(coef, cov(x) / n, df = n - 1), linfct = contrasts)
  found <- confint(fit, level = 0.95, calpha = adjusted_calpha(abseps = 1e-4, maxpts = 5e5))
  out[[paste0("k", k)]] <- list(
    k = k, n = n, critical = attr(found$confint, "calpha"), pairs = rownames(found$confint),
    point = unname(found$confint[, "Estimate"]), low = unname(found$confint[, "lwr"]), high = unname(found$confint[, "upr"])
  )
}
cat(jsonlite::toJSON(out, digits = 8, auto_unbox = TRUE, pretty = TRUE), "\n")
