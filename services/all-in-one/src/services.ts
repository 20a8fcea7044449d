import type { AnyModule } from '@lyceum/service';
import { auth } from '@lyceum/service-auth/module';
import { catalog } from '@lyceum/service-catalog/module';
import { gateway } from '@lyceum/service-gateway/module';
import { school } from '@lyceum/service-school/module';
import { learning } from '@lyceum/service-learning/module';
import { media } from '@lyceum/service-media/module';
import { commerce } from '@lyceum/service-commerce/module';
import { content } from '@lyceum/service-content/module';
import { analytics } from '@lyceum/service-analytics/module';

/** Every service of the platform; the gateway, which is the edge, first. */
export const services: readonly AnyModule[] = [
  gateway,
  auth,
  school,
  catalog,
  media,
  learning,
  commerce,
  content,
  analytics,
];
