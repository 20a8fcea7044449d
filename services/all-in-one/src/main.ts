import { run } from '@lyceum/host';
import { demo, refuseDemo } from './demo.ts';
import { services } from './services.ts';

await run(services, { refuse: refuseDemo, prepare: demo });
