/** The whole way once, on SQLite: story.ts tells it. */
import { test } from 'vitest';
import { tellStory } from './story.ts';

test('pick seats, pay, walk in without signal (sqlite)', { timeout: 180_000 }, () =>
  tellStory('sqlite'),
);
