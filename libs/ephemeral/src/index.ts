export {
  type Ephemeral,
  type Hearing,
  type Redeemed,
  type Taken,
  type TakenMany,
  EphemeralUnavailable,
  EphemeralFull,
} from './port.ts';
export { type MemoryEphemeral, memoryEphemeral } from './memory.ts';
export { redisEphemeral } from './redis.ts';
export type { RedisEphemeralOptions } from './redis-client.ts';
export { debtOf, takeUnit, takeUnits } from './quota.ts';
