/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* identify.c in C++, with both requests in flight at the same time (mad_async.h). */
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <endian.h>
#include <infiniband/mad.h>
#include <infiniband/mad_async.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>
#include <infiniband/umad_cm.h>
#include <infiniband/umad_monitor.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_sa_mcm.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_str.h>
#include <infiniband/umad_types.h>

namespace
{

/* The response to a request. */
struct Response {
	int error = -1;
	std::vector<uint8_t> data;
};

void keep(mad_async *, const mad_async_result *result, void *context)
{
	auto &response = *static_cast<Response *>(context);

	response.error = result->error;
	if (result->data)
		response.data.assign(result->data, result->data + result->data_size);
}

void ask(mad_async *async, unsigned attribute, Response &response)
{
	ib_portid_t self{};
	mad_async_request req{};

	req.to = &self;
	req.callback = keep;
	req.context = &response;
	if (mad_async_smp(async, &req, attribute, 0, nullptr) < 0)
		throw std::runtime_error("not submitted");
}

void identify()
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS };
	Response info, description;
	umad_ca_t ca;

	if (umad_get_cas_names(names, UMAD_MAX_DEVICES) < 1 || umad_get_ca(names[0], &ca) < 0)
		throw std::runtime_error("no device");
	std::printf("%s node 0x%016" PRIx64 "\n", ca.ca_name, be64toh(ca.node_guid));
	umad_release_ca(&ca);

	std::unique_ptr<ibmad_port, decltype(&mad_rpc_close_port)> port(
		mad_rpc_open_port(names[0], 1, classes, 2), mad_rpc_close_port);
	if (!port)
		throw std::runtime_error("no port");
	std::unique_ptr<mad_async, decltype(&mad_async_free)> async(
		mad_async_create_sized(port.get(), nullptr, 0), mad_async_free);
	if (!async)
		throw std::runtime_error("no asynchronous requests");
	ask(async.get(), IB_ATTR_NODE_INFO, info);
	ask(async.get(), IB_ATTR_NODE_DESC, description);
	while (mad_async_dispatch(async.get(), 0, -1) > 0)
		;
	if (info.error || description.error)
		throw std::runtime_error("no response");

	std::string text(description.data.begin(), description.data.end());
	std::printf("\"%s\" type %u, ports %u, guid 0x%016" PRIx64 ", port 0x%016" PRIx64 "\n",
		    text.c_str(), mad_get_field(info.data.data(), 0, IB_NODE_TYPE_F),
		    mad_get_field(info.data.data(), 0, IB_NODE_NPORTS_F),
		    mad_get_field64(info.data.data(), 0, IB_NODE_GUID_F),
		    mad_get_field64(info.data.data(), 0, IB_NODE_PORT_GUID_F));
}

} // namespace

int main()
{
	try {
		identify();
	} catch (const std::exception &error) {
		std::fprintf(stderr, "identify: %s\n", error.what());
		return 1;
	}
	return 0;
}
