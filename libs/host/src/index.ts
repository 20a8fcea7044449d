export { type Assembly } from './boot/assembly.ts';
export { type Preparation, type Prepared } from './boot/boot.ts';
export { demoHistory } from './boot/demo-history.ts';
export { readArguments } from './command-line/arguments.ts';
export { run } from './run.ts';
export { type DescribedSetting, describedSettings } from './settings/described-settings.ts';
export { keepSecret, readSecret } from './settings/kept-secret.ts';
export { type ProcessSettings, reasonForNoDemo } from './settings/settings.ts';
