// SPDX-License-Identifier: GPL-2.0-only
/* The devices: what ib_core and ib_mad call, on the state of node.c. */
#include "module.h"

#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_mad.h>

enum { GRH_BYTES = 40 };

struct vhca_cq {
	struct ib_cq ib;
	struct ib_wc *ring;
	unsigned int size, first, count;
	bool is_armed;
};

struct vhca_buffer {
	struct ib_cqe *cqe;
	void *bytes;
};

struct vhca_qp {
	struct ib_qp ib;
	struct vhca_buffer *ring; /* to receive into */
	unsigned int size, first, count;
	int port, number;
	u32 qkey;
	enum ib_qp_state state;
};

struct vhca_ah {
	struct ib_ah ib;
	struct rdma_ah_attr attr;
	union ib_gid sgid;
};

static struct vhca_node *node_of(struct ib_device *ib)
{
	return container_of(ib, struct vhca_device, ib)->node;
}

static enum vhca_part part_of(struct ib_device *ib)
{
	return container_of(ib, struct vhca_device, ib)->part;
}

static struct vhca_cq *cq_of(struct ib_cq *ib)
{
	return container_of(ib, struct vhca_cq, ib);
}

static struct vhca_qp *qp_of(struct ib_qp *ib)
{
	return container_of(ib, struct vhca_qp, ib);
}

/* ---- frames ---- */

static void add_completion(struct ib_cq *ib, const struct ib_wc *wc)
{
	struct vhca_cq *cq = cq_of(ib);

	if (cq->count == cq->size)
		return;
	cq->ring[(cq->first + cq->count++) % cq->size] = *wc;
	if (cq->is_armed) {
		cq->is_armed = false;
		ib->comp_handler(ib, ib->cq_context);
	}
}

void vhca_deliver(struct fabric_place place, const struct vhca_frame *frame)
{
	struct vhca_node *node = vhca_node_of(place.node);
	struct fport *port = &node->node.ports[place.port];
	int qp_port = node->smi_name[0] && frame->dqpn == 1 ? 1 : place.port;
	struct vhca_qp *qp = frame->dqpn > 1 ? NULL : node->qps[qp_port][frame->dqpn];
	struct ib_wc wc = {
		.status = IB_WC_SUCCESS,
		.opcode = IB_WC_RECV,
		.byte_len = GRH_BYTES + FNODE_MAD,
		.src_qp = frame->sqpn,
		.slid = frame->slid,
		.sl = frame->sl,
		.wc_flags = frame->flags & VHCA_GRH ? IB_WC_GRH : 0,
		.dlid_path_bits = frame->dlid & ((1 << fport_lmc(port)) - 1),
		.port_num = qp_port,
	};
	struct vhca_buffer *buffer;

	if (!qp || qp->state < IB_QPS_RTR || qp->state > IB_QPS_SQE)
		return;
	if (frame->dqpn == 1 && !fabric_check_keys(port, frame, &wc.pkey_index))
		return;
	if (!qp->count) {
		port->vl15_dropped++;
		return;
	}
	buffer = &qp->ring[qp->first];
	qp->first = (qp->first + 1) % qp->size;
	qp->count--;
	if (frame->flags & VHCA_GRH)
		memcpy(buffer->bytes, frame->grh, GRH_BYTES);
	memcpy(buffer->bytes + GRH_BYTES, frame->mad, FNODE_MAD);
	wc.wr_cqe = buffer->cqe;
	wc.qp = &qp->ib;
	add_completion(qp->ib.recv_cq, &wc);
}

static void make_grh(const struct vhca_ah *ah, u8 *grh)
{
	const struct ib_global_route *route = &ah->attr.grh;

	be_put(grh, 4, 6U << 28 | route->traffic_class << 20 | (route->flow_label & 0xfffff));
	be_put(grh + 4, 2, FNODE_MAD + 12 + 8 + 4); /* with BTH, DETH and ICRC */
	grh[6] = 0x1b;				    /* next header: BTH */
	grh[7] = route->hop_limit;
	memcpy(grh + 8, ah->sgid.raw, 16);
	memcpy(grh + 24, route->dgid.raw, 16);
}

static void make_frame(struct fport *port, struct vhca_qp *qp, const struct ib_ud_wr *ud,
		       struct vhca_frame *frame)
{
	struct vhca_ah *ah = container_of(ud->ah, struct vhca_ah, ib);
	unsigned int at = 0, part;
	int i;

	memset(frame, 0, sizeof(*frame));
	for (i = 0; i < ud->wr.num_sge; i++, at += part) {
		part = min_t(unsigned int, ud->wr.sg_list[i].length, FNODE_MAD - at);
		memcpy(frame->mad + at, (void *)(uintptr_t)ud->wr.sg_list[i].addr, part);
	}
	frame->sl = ah->attr.sl;
	frame->vl = qp->number ? 0 : 15;
	frame->sqpn = qp->number;
	frame->dqpn = ud->remote_qpn;
	frame->qkey = ud->remote_qkey & 0x80000000 ? qp->qkey : ud->remote_qkey;
	frame->pkey = port->pkeys[ud->pkey_index % FNODE_PKEYS];
	frame->dlid = rdma_ah_get_dlid(&ah->attr);
	frame->slid =
		fport_lid(port) | (rdma_ah_get_path_bits(&ah->attr) & ((1 << fport_lmc(port)) - 1));
	if (!qp->number && frame->dlid == FNODE_PERMISSIVE)
		frame->slid = FNODE_PERMISSIVE;
	if (ah->attr.ah_flags & IB_AH_GRH) {
		frame->flags = VHCA_GRH;
		make_grh(ah, frame->grh);
	}
}

static int vhca_post_send(struct ib_qp *ib, const struct ib_send_wr *wr,
			  const struct ib_send_wr **bad)
{
	struct vhca_qp *qp = qp_of(ib);
	struct vhca_node *node = node_of(ib->device);
	struct vhca_frame *frame = kmalloc(sizeof(*frame), GFP_ATOMIC);
	unsigned long flags;

	if (!frame) {
		*bad = wr;
		return -ENOMEM;
	}
	spin_lock_irqsave(&vhca_lock, flags);
	for (; wr; wr = wr->next) {
		struct ib_wc wc = { .wr_cqe = wr->wr_cqe, .opcode = IB_WC_SEND, .qp = ib };

		wc.status = node->failing_sends ? IB_WC_GENERAL_ERR : IB_WC_SUCCESS;
		make_frame(&node->node.ports[qp->port], qp, ud_wr(wr), frame);
		add_completion(ib->send_cq, &wc);
		if (node->failing_sends) {
			node->failing_sends--;
			continue;
		}
		if (part_of(ib->device) == VHCA_SMI && qp->number == 1)
			continue; /* as there is no such queue pair */
		vhca_pass((struct fabric_place){ &node->node, qp->port }, frame, false);
	}
	vhca_settle();
	spin_unlock_irqrestore(&vhca_lock, flags);
	kfree(frame);
	return 0;
}

static int vhca_post_recv(struct ib_qp *ib, const struct ib_recv_wr *wr,
			  const struct ib_recv_wr **bad)
{
	struct vhca_qp *qp = qp_of(ib);
	unsigned long flags;
	int ret = 0;

	spin_lock_irqsave(&vhca_lock, flags);
	for (; wr; wr = wr->next) {
		struct vhca_buffer *buffer = &qp->ring[(qp->first + qp->count) % qp->size];

		if (qp->count == qp->size || wr->sg_list[0].length < GRH_BYTES + FNODE_MAD) {
			*bad = wr;
			ret = -ENOMEM;
			break;
		}
		buffer->cqe = wr->wr_cqe;
		buffer->bytes = (void *)(uintptr_t)wr->sg_list[0].addr;
		qp->count++;
	}
	spin_unlock_irqrestore(&vhca_lock, flags);
	return ret;
}

static int vhca_process_mad(struct ib_device *ib, int mad_flags, u32 port, const struct ib_wc *wc,
			    const struct ib_grh *grh, const struct ib_mad *in, struct ib_mad *out,
			    size_t *out_size, u16 *out_pkey_index)
{
	struct vhca_node *node = node_of(ib);
	enum fnode_result result = FNODE_PASSED;
	const u8 *mad = (const u8 *)in;
	unsigned long flags;

	spin_lock_irqsave(&vhca_lock, flags);
	if (mad[1] == MAD_CLASS_DIRECTED || mad[1] == MAD_CLASS_SMP)
		result = fnode_smp(&node->node, port, mad, (u8 *)out);
	else if (mad[1] == MAD_CLASS_PERF)
		result = fnode_pma(&node->node, mad, (u8 *)out);
	vhca_settle();
	spin_unlock_irqrestore(&vhca_lock, flags);
	switch (result) {
	case FNODE_RESPONDED:
		return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
	case FNODE_CONSUMED:
		return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_CONSUMED;
	default:
		return IB_MAD_RESULT_SUCCESS;
	}
}

/* ---- the device and its ports ---- */

static int vhca_query_device(struct ib_device *ib, struct ib_device_attr *attr,
			     struct ib_udata *udata)
{
	attr->fw_ver = 1ULL << 32;
	attr->sys_image_guid = cpu_to_be64(node_of(ib)->node.guid);
	attr->vendor_id = 0x02ff;
	attr->vendor_part_id = 0x7a70;
	attr->hw_ver = 1;
	attr->max_qp = 2 * FNODE_MAX_PORTS;
	attr->max_qp_wr = 8192;
	attr->max_send_sge = attr->max_recv_sge = 4;
	attr->max_cq = attr->max_pd = attr->max_mr = FNODE_MAX_PORTS;
	attr->max_cqe = attr->max_ah = 1 << 16;
	attr->max_pkeys = FNODE_PKEYS;
	return 0;
}

static int vhca_query_port(struct ib_device *ib, u32 port, struct ib_port_attr *attr)
{
	const u8 *info = node_of(ib)->node.ports[port].info;
	unsigned long flags;

	spin_lock_irqsave(&vhca_lock, flags);
	attr->state = info[PI_STATE] & 15;
	attr->phys_state = info[PI_PHYS] >> 4;
	attr->max_mtu = info[PI_MTU_CAP] & 15;
	attr->active_mtu = info[PI_MTU_SL] >> 4;
	attr->gid_tbl_len = FNODE_GUIDS;
	attr->pkey_tbl_len = FNODE_PKEYS;
	attr->port_cap_flags = be_get(info + PI_CAPABILITIES, 4);
	if (part_of(ib) == VHCA_GSI)
		attr->port_cap_flags = (attr->port_cap_flags & ~IB_PORT_SM) | IB_PORT_SM_DISABLED;
	attr->max_msg_sz = 1 << 30;
	attr->bad_pkey_cntr = be_get(info + PI_PKEY_VIOLATIONS, 2);
	attr->qkey_viol_cntr = be_get(info + PI_QKEY_VIOLATIONS, 2);
	attr->lid = be_get(info + PI_LID, 2);
	attr->sm_lid = be_get(info + PI_SM_LID, 2);
	attr->lmc = info[PI_LMC] & 7;
	attr->max_vl_num = info[PI_VL_CAP] >> 4;
	attr->sm_sl = info[PI_MTU_SL] & 15;
	attr->subnet_timeout = info[PI_TIMEOUT] & 31;
	attr->init_type_reply = info[PI_MTU_CAP] >> 4;
	attr->active_width = info[PI_WIDTH_ACTIVE];
	attr->active_speed = info[PI_SPEED_EXT] >> 4 ? IB_SPEED_EDR : IB_SPEED_SDR;
	spin_unlock_irqrestore(&vhca_lock, flags);
	return 0;
}

static int vhca_port_immutable(struct ib_device *ib, u32 port, struct ib_port_immutable *immutable)
{
	immutable->pkey_tbl_len = FNODE_PKEYS;
	immutable->gid_tbl_len = FNODE_GUIDS;
	immutable->core_cap_flags = RDMA_CORE_PORT_IBA_IB;
	if (part_of(ib) == VHCA_GSI)
		immutable->core_cap_flags &= ~RDMA_CORE_CAP_IB_SMI;
	/* Before 6.11 ib_mad takes no port without QP1. */
	if (part_of(ib) == VHCA_SMI && LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0))
		immutable->core_cap_flags =
			RDMA_CORE_CAP_PROT_IB | RDMA_CORE_CAP_IB_MAD | RDMA_CORE_CAP_IB_SMI;
	immutable->max_mad_size = FNODE_MAD;
	return 0;
}

static int vhca_query_gid(struct ib_device *ib, u32 port, int index, union ib_gid *gid)
{
	struct fport *p = &node_of(ib)->node.ports[port];

	memcpy(gid->raw, p->info + PI_PREFIX, 8);
	be_put(gid->raw + 8, 8, p->guids[index]);
	return 0;
}

static int vhca_query_pkey(struct ib_device *ib, u32 port, u16 index, u16 *pkey)
{
	*pkey = node_of(ib)->node.ports[port].pkeys[index];
	return 0;
}

static int vhca_modify_port(struct ib_device *ib, u32 port, int mask, struct ib_port_modify *modify)
{
	struct fnode *node = &node_of(ib)->node;
	u8 *capabilities = node->ports[port].info + PI_CAPABILITIES;
	unsigned long flags;
	u32 now;

	spin_lock_irqsave(&vhca_lock, flags);
	now = be_get(capabilities, 4);
	be_put(capabilities, 4, (now | modify->set_port_cap_mask) & ~modify->clr_port_cap_mask);
	fnode_raise_trap(node, port, 144, 0);
	vhca_settle();
	spin_unlock_irqrestore(&vhca_lock, flags);
	return 0;
}

static int vhca_modify_device(struct ib_device *ib, int mask, struct ib_device_modify *modify)
{
	struct fnode *node = &node_of(ib)->node;
	unsigned long flags;
	int port;

	if (mask & ~IB_DEVICE_MODIFY_NODE_DESC)
		return -EOPNOTSUPP;
	spin_lock_irqsave(&vhca_lock, flags);
	memcpy(node->description, modify->node_desc, 64);
	memcpy(ib->node_desc, modify->node_desc, 64);
	for (port = 1; port <= node->number_of_ports; port++)
		fnode_raise_trap(node, port, 144, 1); /* NodeDescriptionChange */
	vhca_settle();
	spin_unlock_irqrestore(&vhca_lock, flags);
	return 0;
}

static void vhca_get_firmware(struct ib_device *ib, char *text)
{
	snprintf(text, IB_FW_VERSION_NAME_MAX, "1.0.0");
}

/* ---- protection domains, memory, queues, addresses ---- */

static int vhca_alloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return 0;
}

static int vhca_dealloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return 0;
}

static struct ib_mr *vhca_get_dma_mr(struct ib_pd *pd, int access)
{
	return kzalloc(sizeof(struct ib_mr), GFP_KERNEL) ?: ERR_PTR(-ENOMEM);
}

static int vhca_dereg_mr(struct ib_mr *mr, struct ib_udata *udata)
{
	kfree(mr);
	return 0;
}

/* ib_core gives a device without it to no client of the kernel's, thus not to ib_mad. */
static struct ib_mr *vhca_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 address,
				      int access,
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
				      struct ib_dmah *dmah,
#endif
				      struct ib_udata *udata)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static int vhca_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *attr,
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
			  struct uverbs_attr_bundle *attrs)
#else
			  struct ib_udata *udata)
#endif
{
	struct vhca_cq *cq = cq_of(ib);

	cq->size = attr->cqe;
	cq->ring = kvcalloc(cq->size, sizeof(*cq->ring), GFP_KERNEL);
	ib->cqe = attr->cqe;
	return cq->ring ? 0 : -ENOMEM;
}

static int vhca_destroy_cq(struct ib_cq *ib, struct ib_udata *udata)
{
	kvfree(cq_of(ib)->ring);
	return 0;
}

static int vhca_poll_cq(struct ib_cq *ib, int number, struct ib_wc *wc)
{
	struct vhca_cq *cq = cq_of(ib);
	unsigned long flags;
	int i;

	spin_lock_irqsave(&vhca_lock, flags);
	for (i = 0; i < number && cq->count; i++, cq->count--) {
		wc[i] = cq->ring[cq->first];
		cq->first = (cq->first + 1) % cq->size;
	}
	spin_unlock_irqrestore(&vhca_lock, flags);
	return i;
}

static int vhca_req_notify_cq(struct ib_cq *ib, enum ib_cq_notify_flags notify)
{
	struct vhca_cq *cq = cq_of(ib);
	unsigned long flags;
	int missed;

	spin_lock_irqsave(&vhca_lock, flags);
	cq->is_armed = true;
	missed = (notify & IB_CQ_REPORT_MISSED_EVENTS) && cq->count;
	spin_unlock_irqrestore(&vhca_lock, flags);
	return missed;
}

static int vhca_create_qp(struct ib_qp *ib, struct ib_qp_init_attr *attr, struct ib_udata *udata)
{
	struct vhca_qp *qp = qp_of(ib);
	unsigned long flags;

	if (attr->qp_type != IB_QPT_SMI && attr->qp_type != IB_QPT_GSI)
		return -EOPNOTSUPP;
	qp->number = attr->qp_type == IB_QPT_GSI;
	qp->port = attr->port_num;
	qp->size = attr->cap.max_recv_wr;
	qp->ring = kvcalloc(qp->size, sizeof(*qp->ring), GFP_KERNEL);
	if (!qp->ring)
		return -ENOMEM;
	ib->qp_num = qp->number;
	if (part_of(ib->device) == VHCA_SMI && qp->number == 1)
		return 0; /* no frame arrives at this queue pair, see vhca_port_immutable() */
	spin_lock_irqsave(&vhca_lock, flags);
	node_of(ib->device)->qps[qp->port][qp->number] = qp;
	spin_unlock_irqrestore(&vhca_lock, flags);
	return 0;
}

static int vhca_modify_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask,
			  struct ib_udata *udata)
{
	struct vhca_qp *qp = qp_of(ib);
	unsigned long flags;

	spin_lock_irqsave(&vhca_lock, flags);
	if (mask & IB_QP_STATE)
		qp->state = attr->qp_state;
	if (mask & IB_QP_QKEY)
		qp->qkey = attr->qkey;
	spin_unlock_irqrestore(&vhca_lock, flags);
	return 0;
}

static int vhca_destroy_qp(struct ib_qp *ib, struct ib_udata *udata)
{
	struct vhca_qp *qp = qp_of(ib);
	unsigned long flags;

	spin_lock_irqsave(&vhca_lock, flags);
	if (node_of(ib->device)->qps[qp->port][qp->number] == qp)
		node_of(ib->device)->qps[qp->port][qp->number] = NULL;
	spin_unlock_irqrestore(&vhca_lock, flags);
	kvfree(qp->ring);
	return 0;
}

static int vhca_create_ah(struct ib_ah *ib, struct rdma_ah_init_attr *init, struct ib_udata *udata)
{
	struct vhca_ah *ah = container_of(ib, struct vhca_ah, ib);

	ah->attr = *init->ah_attr;
	if (ah->attr.grh.sgid_attr)
		ah->sgid = ah->attr.grh.sgid_attr->gid;
	ah->attr.grh.sgid_attr = NULL; /* the caller holds the reference to sgid_attr */
	return 0;
}

/* Without it ib_mad matches no response that was routed by LID. */
static int vhca_query_ah(struct ib_ah *ib, struct rdma_ah_attr *attr)
{
	*attr = container_of(ib, struct vhca_ah, ib)->attr;
	return 0;
}

static int vhca_destroy_ah(struct ib_ah *ib, u32 flags)
{
	return 0;
}

/* ---- registration ---- */

static ssize_t hca_type_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "vhca\n");
}
static DEVICE_ATTR_RO(hca_type);

static ssize_t hw_rev_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "1\n");
}
static DEVICE_ATTR_RO(hw_rev);

static struct attribute *vhca_attributes[] = { &dev_attr_hca_type.attr, &dev_attr_hw_rev.attr,
					       NULL };
static const struct attribute_group vhca_group = { .attrs = vhca_attributes };

static const struct ib_device_ops vhca_operations = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_UNKNOWN,
	.device_group = &vhca_group,
	.query_device = vhca_query_device,
	.query_port = vhca_query_port,
	.get_port_immutable = vhca_port_immutable,
	.query_gid = vhca_query_gid,
	.query_pkey = vhca_query_pkey,
	.modify_port = vhca_modify_port,
	.modify_device = vhca_modify_device,
	.get_dev_fw_str = vhca_get_firmware,
	.alloc_pd = vhca_alloc_pd,
	.dealloc_pd = vhca_dealloc_pd,
	.get_dma_mr = vhca_get_dma_mr,
	.reg_user_mr = vhca_reg_user_mr,
	.dereg_mr = vhca_dereg_mr,
	.create_cq = vhca_create_cq,
	.destroy_cq = vhca_destroy_cq,
	.poll_cq = vhca_poll_cq,
	.req_notify_cq = vhca_req_notify_cq,
	.create_qp = vhca_create_qp,
	.modify_qp = vhca_modify_qp,
	.destroy_qp = vhca_destroy_qp,
	.create_ah = vhca_create_ah,
	.query_ah = vhca_query_ah,
	.destroy_ah = vhca_destroy_ah,
	.post_send = vhca_post_send,
	.post_recv = vhca_post_recv,
	.process_mad = vhca_process_mad,
	.size_ib_pd = sizeof(struct ib_pd),
	INIT_RDMA_OBJ_SIZE(ib_cq, vhca_cq, ib),
	INIT_RDMA_OBJ_SIZE(ib_qp, vhca_qp, ib),
	INIT_RDMA_OBJ_SIZE(ib_ah, vhca_ah, ib),
};

static int register_device(struct vhca_node *node, enum vhca_part part, struct vhca_device **made)
{
	struct vhca_device *device = ib_alloc_device(vhca_device, ib);
	int ret;

	if (!device)
		return -ENOMEM;
	device->node = node;
	device->part = part;
	device->ib.node_type = RDMA_NODE_IB_CA;
	device->ib.phys_port_cnt = part == VHCA_GSI ? 1 : node->node.number_of_ports;
	device->ib.num_comp_vectors = 1;
	device->ib.node_guid = cpu_to_be64(node->node.guid);
	memcpy(device->ib.node_desc, node->node.description, 64);
	ib_set_device_ops(&device->ib, &vhca_operations);
	ret = ib_register_device(&device->ib, part == VHCA_SMI ? node->smi_name : node->name, NULL);
	if (ret) {
		ib_dealloc_device(&device->ib);
		return ret;
	}
	spin_lock_irq(&vhca_lock);
	*made = device;
	spin_unlock_irq(&vhca_lock);
	return 0;
}

int vhca_register(struct vhca_node *node)
{
	int ret = register_device(node, node->smi_name[0] ? VHCA_GSI : VHCA_WHOLE, &node->device);

	return ret || !node->smi_name[0] ? ret : register_device(node, VHCA_SMI, &node->smi);
}

static void unregister_device(struct vhca_device **registered)
{
	struct vhca_device *device = *registered;

	spin_lock_irq(&vhca_lock);
	*registered = NULL;
	spin_unlock_irq(&vhca_lock);
	if (!device)
		return;
	ib_unregister_device(&device->ib);
	ib_dealloc_device(&device->ib);
}

/* Waits until ib_mad has handled what a completion queue has received. */
static void wait_for_handlers(struct vhca_cq *cq)
{
	bool was_empty;

	do {
		was_empty = !READ_ONCE(cq->count);
		flush_work(&cq->ib.work);
	} while (!was_empty);
}

/*
 * From now on nothing arrives at a node, and nothing that has arrived is being handled. ib_mad's
 * agent_send_response() holds no reference to the agent that it sends by; if the device is removed
 * meanwhile, it uses one that is freed ("refcount_t: addition on 0").
 */
static void stop_receiving(struct vhca_node *node)
{
	int i;

	for (i = 0; i < 2 * (FNODE_MAX_PORTS + 1); i++) {
		struct vhca_qp **place = &node->qps[i / 2][i % 2], *qp;

		spin_lock_irq(&vhca_lock);
		qp = *place;
		*place = NULL;
		spin_unlock_irq(&vhca_lock);
		if (qp)
			wait_for_handlers(cq_of(qp->ib.recv_cq));
	}
}

void vhca_unregister(struct vhca_node *node)
{
	stop_receiving(node);
	unregister_device(&node->smi);
	unregister_device(&node->device);
}
