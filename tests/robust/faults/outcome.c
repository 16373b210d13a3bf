/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* outcome.c - the result of a call, and whether it is documented for the libc call that failed. */
#include "engine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void fault_complain(struct fault_run *run, const char *format, ...)
{
	va_list arguments;

	if (run->complaint[0])
		return;
	va_start(arguments, format);
	vsnprintf(run->complaint, sizeof(run->complaint), format, arguments);
	va_end(arguments);
}

static void note_result(struct fault_run *run, bool failed, int error)
{
	run->ended = true;
	run->failed = failed;
	run->error = failed ? error : 0;
	if (failed && (error == FAULT_ERRNO_UNSET || error <= 0))
		fault_complain(run, "failed without an errno (%d)", error);
}

void *fault_pointer(struct fault_run *run, void *result)
{
	fault_end(run);
	note_result(run, !result, run->saved_errno);
	return result;
}

int fault_minus_one(struct fault_run *run, int result)
{
	fault_end(run);
	note_result(run, result < 0, run->saved_errno);
	if (result < -1)
		fault_complain(run, "returned %d, neither -1 nor a result", result);
	return result;
}

int fault_negative(struct fault_run *run, int result)
{
	fault_end(run);
	note_result(run, result < 0, -result);
	if (result < 0 && run->saved_errno != -result)
		fault_complain(run, "returned %d, but errno is %d", result, run->saved_errno);
	return result;
}

int fault_positive(struct fault_run *run, int result)
{
	fault_end(run);
	note_result(run, result != 0, result);
	if (result > 0 && run->saved_errno != result && run->saved_errno != FAULT_ERRNO_UNSET)
		fault_complain(run, "returned %d, but errno is %d", result, run->saved_errno);
	return result;
}

int fault_refused(struct fault_run *run, int result, int code)
{
	fault_end(run);
	note_result(run, result < 0, run->saved_errno);
	if (result < 0 && result != code && result != -run->saved_errno)
		fault_complain(run, "returned %d, errno is %d", result, run->saved_errno);
	return result;
}

void fault_cannot_fail(struct fault_run *run)
{
	fault_end(run);
	note_result(run, false, 0);
}

bool fault_is_whole(const struct fault_run *run, const struct fault_run *undisturbed)
{
	return !memcmp(run->output, undisturbed->output, sizeof(run->output));
}

/* Whether the function has to repeat an interrupted call, or go on with a wait that ended early. */
static bool has_to_get_by(const struct fault *fault)
{
	switch (fault->call) {
	case FAULT_POLL:
	case FAULT_WRITEV:
		return fault->error == EINTR || fault->error == FAULT_SHORT;
	case FAULT_OPEN:
	case FAULT_CLOSE:
	case FAULT_READ:
	case FAULT_WRITE:
	case FAULT_IOCTL:
	case FAULT_GETRANDOM:
		return fault->error == EINTR;
	default:
		return false;
	}
}

static bool is_exhausted(const struct fault *fault)
{
	return fault->error == EMFILE || fault->error == ENFILE || fault->error == ENOMEM;
}

static bool rule_fits(const struct fault_rule *rule, const struct fault *fault)
{
	if (!(rule->calls & 1U << fault->call))
		return false;
	if (rule->error == FAULT_ANY)
		return !has_to_get_by(fault);
	if (rule->error == FAULT_NOT_EXHAUSTED)
		return !has_to_get_by(fault) && !is_exhausted(fault);
	return rule->error == fault->error;
}

static const struct fault_rule *rule_for(const struct fault_case *test, const struct fault *fault)
{
	for (size_t i = 0; i < test->rule_count; i++)
		if (rule_fits(&test->rules[i], fault))
			return &test->rules[i];
	return NULL;
}

/* The errno that says why. */
static int cause(const struct fault *fault)
{
	if (fault->call == FAULT_DLOPEN)
		return ELIBACC;
	if (fault->call == FAULT_DLSYM)
		return ELIBBAD;
	if (fault->error == FAULT_SHORT)
		return EIO;
	if (fault->call == FAULT_NL_RECEIVE && fault->error == ENOMEM)
		return ENOBUFS;
	return fault->error;
}

static bool may_report(const struct fault_rule *rule, const struct fault_run *run)
{
	if (!rule)
		return false;
	for (size_t i = 0; i < sizeof(rule->reported) / sizeof(rule->reported[0]); i++)
		if (run->error == rule->reported[i])
			return true;
	return rule->comes_to == FAULT_LESS && run->error == cause(run->fault);
}

void fault_print(struct fault_run *run, const char *format, ...)
{
	va_list arguments;

	if (!run->printed)
		memset(run->output, 0, sizeof(run->output));
	va_start(arguments, format);
	run->printed += (size_t)vsnprintf((char *)run->output + run->printed,
					  sizeof(run->output) - run->printed, format, arguments);
	va_end(arguments);
	if (run->printed >= sizeof(run->output))
		fault_complain(run, "the output is too long"),
			run->printed = sizeof(run->output) - 1;
}

/* Whether a word may replace another: equal, or the key with nothing or 0. */
static bool may_replace(const char *word, size_t size, const char *other, size_t other_size)
{
	size_t key = size - (size > 1 && word[size - 1] == '0');

	if (size == other_size && !memcmp(word, other, size))
		return true;
	return key && word[key - 1] == '=' && key <= other_size && !memcmp(word, other, key);
}

bool fault_has_less(const char *text, const char *whole)
{
	size_t size, other_size;

	for (; *text; text += size + 1) {
		size = strcspn(text, " ");
		do {
			if (!*whole)
				return false;
			other_size = strcspn(whole, " ");
			whole += other_size + 1;
		} while (!may_replace(text, size, whole - other_size - 1, other_size));
	}
	return true;
}

static bool has_less(const struct fault_run *run, const struct fault_run *undisturbed)
{
	const char *text = run->printed ? (const char *)run->output : "";

	if (!undisturbed->printed)
		return false;
	return (run->test->less ? run->test->less
				: fault_has_less)(text, (const char *)undisturbed->output);
}

static bool is_untouched(const struct fault_run *run)
{
	for (size_t i = 0; i < sizeof(run->output); i++)
		if (run->output[i] != FAULT_FILL)
			return false;
	return true;
}

void fault_check_outcome(struct fault_run *run, const struct fault_run *undisturbed)
{
	const struct fault_rule *rule = rule_for(run->test, run->fault);
	int expected = rule && rule->reported[0] ? rule->reported[0] : cause(run->fault);
	bool less = rule && rule->comes_to == FAULT_LESS;

	if (run->failed && !rule && has_to_get_by(run->fault))
		fault_complain(run, "did not get by, but reported %s", strerror(run->error));
	else if (run->failed && run->error != expected && !may_report(rule, run))
		fault_complain(run, "reported %d (%s), not %d (%s)", run->error,
			       strerror(run->error), expected, strerror(expected));
	else if (run->failed && (run->test->flags & FAULT_UNTOUCHED) && !is_untouched(run))
		fault_complain(run, "failed, but changed what it was given");
	else if (!run->failed && !fault_is_whole(run, undisturbed) &&
		 !(less && has_less(run, undisturbed)))
		fault_complain(run, "succeeded, but with something else than undisturbed");
}
