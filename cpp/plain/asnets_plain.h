/* What other programs see of the core, in libasnets_plain.so: Fast Downward's plugin is C++11 and
 * cannot include the core's headers. Plain C; nothing throws. A policy is for one thread. */
#ifndef ASNETS_PLAIN_H
#define ASNETS_PLAIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* A trained network in one deterministic problem. */
typedef struct asnets_policy asnets_policy;

typedef enum {
    ASNETS_OK,
    ASNETS_BAD_MODEL,   /* it cannot be read, is damaged, or is for another domain */
    ASNETS_BAD_INPUT,   /* of a planning file, or of an option */
    ASNETS_UNSUPPORTED, /* a task that the network cannot follow, or a probabilistic one */
    ASNETS_NO_TORCH,    /* the library for TorchScript, or libtorch, cannot be opened */
    ASNETS_OUT_OF_TIME,
    ASNETS_OUT_OF_MEMORY,
    ASNETS_FAILED /* a mistake of ours */
} asnets_status;

/* One line about the last call in this thread that was not ASNETS_OK; valid until the next. */
const char *asnets_error(void);

/* Grounds the problem and reads the model, in at most so many seconds. `torch_library` runs the
 * network, see asnets_torch.h; if it is null the core does. */
asnets_status asnets_open(const char *domain_file, const char *problem_file, const char *model_file,
                          const char *torch_library, double seconds, asnets_policy **policy);
void asnets_close(asnets_policy *policy);

/* Ids are below these; names are such as "stack a b", and valid until the next is asked for. */
uint32_t asnets_action_count(const asnets_policy *policy);
uint32_t asnets_proposition_count(const asnets_policy *policy);
const char *asnets_action_name(asnets_policy *policy, uint32_t action);
const char *asnets_proposition_name(asnets_policy *policy, uint32_t proposition);
double asnets_action_cost(const asnets_policy *policy, uint32_t action);

typedef struct {
    int sample; /* else the most likely action */
    double temperature;
    uint64_t seed;
    uint64_t max_steps;
    int avoid_loops; /* negative: if the task is deterministic and nothing is drawn */
    double seconds;
} asnets_run_options;

typedef enum {
    ASNETS_MOVED,
    ASNETS_GOAL,
    ASNETS_DEAD_END,
    ASNETS_LOOP,
    ASNETS_STEP_LIMIT,
    ASNETS_TIME_LIMIT
} asnets_step_result;

/* Puts the policy into the initial state, before its first step. */
asnets_status asnets_start(asnets_policy *policy, const asnets_run_options *options);
/* One step. `action` is what was done if it moved; all other results are the end. */
asnets_status asnets_step(asnets_policy *policy, asnets_step_result *result, uint32_t *action);
/* Is a proposition true in the present state? Never before asnets_start. */
int asnets_holds(const asnets_policy *policy, uint32_t proposition);
/* In the initial state? */
int asnets_holds_initially(const asnets_policy *policy, uint32_t proposition);

/* The actions that are at least `share` times as likely as the most likely one, best first, in the
 * state with these true propositions, as if nothing had been done before. `actions` has room for
 * all actions. */
asnets_status asnets_likely_actions(asnets_policy *policy, const uint32_t *propositions,
                                    size_t proposition_count, double share, uint32_t *actions,
                                    uint32_t *action_count);

typedef struct {
    uint64_t steps;
    uint64_t evaluations; /* of the network, in all */
    uint64_t avoided;     /* steps in which a loop was avoided */
    double cost;
    double ground_seconds;
    double model_seconds;
    double feature_seconds;
    double network_seconds;
} asnets_statistics;

asnets_statistics asnets_get_statistics(const asnets_policy *policy);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
