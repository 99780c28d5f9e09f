/** Returns the byte at an index. */
export const u8 = (bytes: Uint8Array, at: number): number => bytes[at] as number;

/** Returns a little-endian 16-bit integer. */
export const u16 = (bytes: Uint8Array, at: number): number => u8(bytes, at) | (u8(bytes, at + 1) << 8);

/** Returns a little-endian 32-bit integer. */
export const u32 = (bytes: Uint8Array, at: number): number =>
  (u8(bytes, at) | (u8(bytes, at + 1) << 8) | (u8(bytes, at + 2) << 16) | (u8(bytes, at + 3) << 24)) >>> 0;

/** Returns a little-endian 64-bit integer; exact below 2^53, which exceeds any page number or size. */
export const u64 = (bytes: Uint8Array, at: number): number => u32(bytes, at) + u32(bytes, at + 4) * 4_294_967_296;

/** Returns a big-endian 64-bit integer, as etcd writes revisions. */
export const u64BigEndian = (bytes: Uint8Array, at: number): number => {
  const high = (u8(bytes, at) << 24) | (u8(bytes, at + 1) << 16) | (u8(bytes, at + 2) << 8) | u8(bytes, at + 3);
  const low = (u8(bytes, at + 4) << 24) | (u8(bytes, at + 5) << 16) | (u8(bytes, at + 6) << 8) | u8(bytes, at + 7);
  return (high >>> 0) * 4_294_967_296 + (low >>> 0);
};
