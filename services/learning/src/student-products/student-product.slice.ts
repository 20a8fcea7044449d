import type { Slice } from '@lyceum/service';
import { extendProduct, giveProduct, revokeProduct } from './student-product.giving.ts';
import { getStudentProduct, listStudentProducts } from './student-product.reading.ts';

/** The digital products of members, for the staff. */
export const studentProductSlice: Slice = {
  name: 'student-products',
  operations: (asking) =>
    [listStudentProducts, getStudentProduct, giveProduct, extendProduct, revokeProduct].map((each) => each(asking)),
};
