/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The fabric: what becomes of each request, and what comes without one. */
#ifndef TESTS_SIMULATION_FABRIC_H
#define TESTS_SIMULATION_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_file;
struct sim_packet;

#define SIM_REMOTE_TOKEN UINT32_C(0x80000000)

/* Of our server, and of the messages that programs send. */
enum { SIM_SERVER_CLASS = 0x33, SIM_OUI = 0x001405 };

/* Destinations that never respond, in worlds that have them. */
enum { SIM_FIRST_SILENT_LID = 32, SIM_SILENT_LIDS = 24, SIM_SILENT_BLOCKS = 12 };
bool sim_is_silent_lid(int lid);

void sim_fabric_clear(void);
/* A request leaves the host. */
void sim_fabric_take_request(const struct sim_packet *sent);

/* A response of our server leaves the host. */
void sim_fabric_take_response(const uint8_t *mad, size_t length);

/* A class is registered with methods: requests to it begin to come. */
void sim_fabric_server_begins(struct sim_file *file, uint8_t mgmt_class);

/* A program has received a MAD as a server: what is wrong with that, or NULL. */
const char *sim_fabric_check_received(const uint8_t *mad, unsigned status);

/* A request to our server, or NULL. */
struct sim_packet *sim_fabric_remote(uint32_t token);

/* No receiver is left: every request that the library has read has been received. */
void sim_fabric_check_all_received(void);

/* When the oldest request to our server that no program has received came, or SIM_NEVER. Those of
 * several packets may count or not. */
int64_t sim_fabric_oldest_unreceived(bool with_long);

/* How many requests of several packets have come to our server. */
unsigned sim_fabric_long_requests(void);

/* The offset of the data in a MAD of the class. */
size_t sim_data_offset(uint8_t mgmt_class);

/* A number from which the data of a response follow: the token, changed by a redirect's LID. */
uint32_t sim_data_of(uint32_t token, int lid);

/* The data of a response to the request with the token. */
void sim_fill_data(uint32_t token, uint8_t *data, size_t size);
bool sim_data_is_right(uint32_t token, const uint8_t *data, size_t size);

/* A message of ours, which nobody waits for, leaves the host. */
void sim_fabric_check_sent_message(const uint8_t *mad, size_t length);

/* The fabric of the cases in tests/lib/umad-cases, instead of fabric.c's: the cases respond. */

/* Thread function: runs the cases whose names match, each on a kernel as it is at the beginning. */
extern const char *sim_cases_pattern;
void *sim_cases_program(void *unused);
void sim_cases_keep(const struct sim_packet *sent);

#endif
