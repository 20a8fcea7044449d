export { type Ephemeral, type Redeemed, EphemeralUnavailable, EphemeralFull } from './port.ts';
export { type MemoryEphemeral, memoryEphemeral } from './memory.ts';
export { redisEphemeral } from './redis.ts';
export type { RedisEphemeralOptions } from './redis-client.ts';
