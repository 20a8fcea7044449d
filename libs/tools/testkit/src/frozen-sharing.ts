import { freezeShared } from '@lyceum/kernel';

// Whoever changes what other requests are given as well is found by the first test that comes there.
freezeShared();
