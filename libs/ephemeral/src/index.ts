export { type Ephemeral, type Redeemed, EphemeralUnavailable, EphemeralFull } from './port.ts';
export { type MemoryEphemeral, memoryEphemeral } from './memory.ts';
