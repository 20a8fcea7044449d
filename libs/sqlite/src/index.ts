export { type Bindable, type Database, type Row, type Statement, AlreadyRunning, DatabaseClosed } from './database.ts';
export { type DatabaseOptions, openDatabase } from './open-database.ts';
export { adding } from './adding.ts';
export { copyCompact, freeze } from './freeze.ts';
