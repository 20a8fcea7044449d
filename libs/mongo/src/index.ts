export {
  type MongoConnection,
  type MongoEngine,
  type MongoOptions,
  type MongoTls,
  openMongo,
} from './mongodb-connection.ts';
export { type InTime, inTime } from './mongodb-time.ts';
export { type MongoFailure, failureOf } from './mongodb-failure.ts';
export { mongoDatabases, pingMongo, reachMongo } from './mongodb-reach.ts';
export { writeOnce } from './mongodb-write-once.ts';
