import { z } from 'zod';
import { productId } from '../products/product-id.ts';
import { studentParams } from '../students/student.schema.ts';

/** Where the digital products of a student are. */
export const path = '/api/students/{student}/digital_products';

/** The digital product of a student of a path. */
export const studentProductParams = z.object({
  ...studentParams.shape,
  product: productId.meta({ description: 'Id of the product.' }),
});
