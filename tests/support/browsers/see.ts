/** What a page shows; a busy machine needs its time. */
import { expect } from 'playwright/test';

export const see = expect.configure({ timeout: 60_000 });
