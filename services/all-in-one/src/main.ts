import { run } from '@lyceum/host';
import { auth } from '@lyceum/service-auth/module';
import { catalog } from '@lyceum/service-catalog/module';
import { gateway } from '@lyceum/service-gateway/module';
import { school } from '@lyceum/service-school/module';
import { demo, refuseDemo } from './demo.ts';

await run([gateway, auth, school, catalog], { refuse: refuseDemo, prepare: demo });
