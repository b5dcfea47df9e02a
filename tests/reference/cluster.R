# Reference values for evalstats/cluster.py from R: clubSandwich (CR1, CR2, Satterthwaite) and survey (stratified
# clusters drawn with replacement, finite population ignored; Korn and Graubard's interval).
#
#   Rscript tests/reference/cluster.R > tests/reference/cluster.json
#
# The data are made by arithmetic, so that no two generators of random numbers have to agree:
# tests/stats/test_cluster.py makes the same ones.

suppressMessages({
  library(clubSandwich)
  library(survey)
})

rows <- function(sizes) rep(seq_along(sizes), sizes)

cases <- list(
  equal = list(sizes = rep(5, 12), strata = NULL),
  unequal = list(sizes = c(1, 1, 1, 20, 3, 7, 2, 9), strata = NULL),
  strata_equal = list(sizes = rep(5, 12), strata = rep(c("x", "y", "z"), each = 4)),
  strata_unequal = list(sizes = c(1, 4, 2, 9, 3, 7, 2, 6, 5, 1), strata = c("x", "x", "x", "y", "y", "y", "y", "z", "z", "z"))
)

out <- list()
for (name in names(cases)) {
  case <- cases[[name]]
  g <- rows(case$sizes)
  n <- length(g)
  i <- seq_len(n)
  score <- ((i * 37 + g * g * 11) %% 29) / 29 + (g %% 3) / 2
  stratum <- if (is.null(case$strata)) rep("all", n) else case$strata[g]
  frame <- data.frame(score = score, g = g, stratum = stratum)

  if (length(unique(stratum)) == 1) {
    fit <- lm(score ~ 1, data = frame)
    weights <- 1
  } else {
    fit <- lm(score ~ 0 + stratum, data = frame)
    weights <- as.numeric(table(frame$stratum)) / n
  }
  result <- list(n = n)
  for (type in c("CR1", "CR2")) {
    vcov <- vcovCR(fit, cluster = frame$g, type = type)
    result[[type]] <- sqrt(as.numeric(t(weights) %*% as.matrix(vcov) %*% weights))
    if (type == "CR2") {
      # The degrees of freedom of a linear combination: those of the one coefficient in an equivalent fit,
      # in which the combination itself is the intercept.
      if (length(weights) == 1) {
        result$df <- coef_test(fit, vcov = vcov, test = "Satterthwaite")$df
      } else {
        levels <- sort(unique(frame$stratum))
        shifted <- sapply(levels[-1], function(level) (frame$stratum == level) - weights[levels == level])
        together <- lm(frame$score ~ shifted)
        vcov_together <- vcovCR(together, cluster = frame$g, type = "CR2")
        test <- coef_test(together, vcov = vcov_together, test = "Satterthwaite")
        result$df <- test$df[1]
        result$CR2_together <- test$SE[1]
      }
    }
  }
  design <- if (is.null(case$strata)) {
    svydesign(ids = ~g, weights = ~1, data = frame)
  } else {
    svydesign(ids = ~g, strata = ~stratum, weights = ~1, data = frame, nest = TRUE)
  }
  estimate <- svymean(~score, design)
  result$survey_mean <- as.numeric(coef(estimate))
  result$survey_se <- as.numeric(SE(estimate))
  # Korn and Graubard's interval of the share of rows whose score is above 0.7.
  design <- update(design, mark = as.numeric(score > 0.7))
  beta <- svyciprop(~mark, design, method = "beta", level = 0.9)
  result$mark_mean <- as.numeric(beta)
  result$beta_low <- attr(beta, "ci")[1]
  result$beta_high <- attr(beta, "ci")[2]
  out[[name]] <- result
}

fields <- function(result) paste(sprintf('    "%s": %.15g', names(result), unlist(result)), collapse = ",\n")
entries <- sapply(names(out), function(name) sprintf('  "%s": {\n%s\n  }', name, fields(out[[name]])))
versions <- sprintf('  "made_with": "R %s, clubSandwich %s, survey %s"', getRversion(), packageVersion("clubSandwich"), packageVersion("survey"))
cat("{\n", paste(c(versions, entries), collapse = ",\n"), "\n}\n", sep = "")
