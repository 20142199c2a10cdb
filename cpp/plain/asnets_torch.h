/* What the library around libtorch offers; downward_patch/torchscript implements it. It is opened
 * only when a network is to run as TorchScript: linked in, libtorch would cost every start a third
 * of a second. Plain C; nothing throws. */
#ifndef ASNETS_TORCH_H
#define ASNETS_TORCH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* A network that was exported to a model file. */
typedef struct asnets_torch_network asnets_torch_network;

/* The arrays of a Batch, as network/batch.h describes them. */
typedef struct {
    int64_t rows;
    int64_t input_width;
    int64_t slot_width;
    const float *inputs;
    const int64_t *slots;
} asnets_torch_schema;

typedef struct {
    int64_t begin_count;
    int64_t member_count;
    const int64_t *begin;
    const int64_t *members;
} asnets_torch_pool;

/* Null on failure. */
asnets_torch_network *asnets_torch_load(const char *model_file);
void asnets_torch_close(asnets_torch_network *network);
/* The logits of all actions of one state. 0 on failure. */
int asnets_torch_logits(asnets_torch_network *network, const asnets_torch_schema *schemas,
                        int64_t schema_count, const asnets_torch_pool *pools, int64_t pool_count,
                        float *logits, int64_t logit_count);
/* One line about the last failure in this thread, and whether memory was what it lacked. */
const char *asnets_torch_error(void);
int asnets_torch_lacks_memory(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
