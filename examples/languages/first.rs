// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals, dead_code)]
include!("mad.rs");
use std::ffi::CStr;

fn main() {
    unsafe {
        let mut classes = [IB_SMI_DIRECT_CLASS as i32];
        let port = mad_rpc_open_port(std::ptr::null_mut(), 0, classes.as_mut_ptr(), 1);
        if port.is_null() {
            panic!("{}", std::io::Error::last_os_error());
        }
        let mut to: ib_portid_t = std::mem::zeroed();
        let (mut info, mut name) = ([0u8; 64], [0u8; 65]);
        for (attribute, data) in [(IB_ATTR_NODE_INFO, info.as_mut_ptr()), (IB_ATTR_NODE_DESC, name.as_mut_ptr())] {
            if smp_query_via(data.cast(), &mut to, attribute as u32, 0, 0, port).is_null() {
                panic!("{}", std::io::Error::last_os_error());
            }
        }
        let ports = mad_get_field(info.as_mut_ptr().cast(), 0, IB_NODE_NPORTS_F);
        println!("{} has {} ports", CStr::from_ptr(name.as_ptr().cast()).to_string_lossy(), ports);
        mad_rpc_close_port(port);
    }
}
