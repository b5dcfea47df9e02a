# Reference values from R for bootstrap.py, correction.py and power.py: the package boot (percentile and BCa intervals),
# p.adjust, and the power of McNemar's tests by visiting every table with binom.test.
#
#   Rscript tests/reference/bootstrap_power.R > tests/reference/bootstrap_power.json
#
# The data are made by arithmetic; tests/stats/test_bootstrap.py makes the same ones.

suppressMessages(library(boot))
set.seed(20261130)
replicates <- 200000

interval <- function(data, statistic) {
  drawn <- boot(data, statistic, R = replicates)
  n <- NROW(data)
  left_out <- sapply(seq_len(n), function(i) statistic(data, seq_len(n)[-i]))
  influence <- (n - 1) * (mean(left_out) - left_out)
  both <- boot.ci(drawn, type = c("perc", "bca"), L = influence)
  list(
    point = drawn$t0,
    se = sd(drawn$t[, 1]),
    percentile = both$percent[4:5],
    bca = both$bca[4:5],
    acceleration = sum(influence^3) / (6 * sum(influence^2)^1.5)
  )
}

seconds <- ((seq_len(40) * 37) %% 101 / 20)^3
sizes <- c(1, 4, 2, 9, 3, 7, 2, 6, 5, 1, 8, 3, 4, 2, 6, 5, 1, 3, 9, 2, 4, 6, 7, 3, 5)
scores <- (seq_len(sum(sizes)) * 29) %% 97 / 10
clusters <- cbind(tapply(scores, rep(seq_along(sizes), sizes), sum), sizes)

mean_of <- function(x, i) mean(x[i])
ratio_of <- function(x, i) sum(x[i, 1]) / sum(x[i, 2])

pvalues <- c(0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216, 0.222, 0.251, 0.269, 0.275, 0.34)

power <- function(n, delta, psi, alpha = 0.05) {
  a_wins <- (psi + delta) / (2 * psi)
  hit <- c(exact = 0, midp = 0, uncorrected = 0, corrected = 0)
  for (d in 0:n) for (b in 0:d) {
    weight <- dbinom(d, n, psi) * dbinom(b, d, a_wins)
    fewer <- min(b, d - b)
    if (d == 0) next
    p <- c(
      binom.test(b, d)$p.value,
      if (2 * b == d) 1 else 2 * pbinom(fewer - 1, d, 0.5) + dbinom(fewer, d, 0.5),
      pchisq((2 * b - d)^2 / d, 1, lower.tail = FALSE),
      pchisq(max(abs(2 * b - d) - 1, 0)^2 / d, 1, lower.tail = FALSE)
    )
    hit <- hit + weight * (p <= alpha)
  }
  as.list(hit)
}

json <- function(x) {
  if (is.list(x)) {
    return(paste0("{", paste0("\"", names(x), "\": ", sapply(x, json), collapse = ", "), "}"))
  }
  numbers <- if (is.character(x)) paste0("\"", x, "\"") else sprintf("%.12g", x)
  if (length(x) == 1) numbers else paste0("[", paste(numbers, collapse = ", "), "]")
}

cat(json(list(
  made_with = paste0(R.version.string, ", boot ", packageVersion("boot")),
  replicates = replicates,
  mean = interval(seconds, mean_of),
  cluster_mean = interval(clusters, ratio_of),
  pvalues = pvalues,
  adjusted = list(
    bonferroni = p.adjust(pvalues, "bonferroni"),
    holm = p.adjust(pvalues, "holm"),
    benjamini_hochberg = p.adjust(pvalues, "BH"),
    benjamini_yekutieli = p.adjust(pvalues, "BY")
  ),
  power_40_15_30 = power(40, 0.15, 0.30),
  power_60_0_25 = power(60, 0, 0.25),
  power_25_40_60 = power(25, 0.40, 0.60, 0.10)
)), "\n")
