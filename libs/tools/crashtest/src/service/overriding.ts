/** The target with some of its methods replaced; the others go on with the target itself, also those of a class. */
export const overriding = <T extends object>(target: T, own: Partial<T>): T =>
  new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name) as unknown;
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
