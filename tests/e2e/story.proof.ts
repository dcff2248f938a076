/** The whole way once more, on PostgreSQL: story.ts tells it. */
import { test } from 'vitest';
import { tellStory } from './story.ts';

test('pick seats, pay, walk in without signal (postgres)', () => tellStory('postgres'));
