/** Random histories of the seat map on both databases. */
import { testModels } from './models.ts';

testModels({ sqlite: 50, postgres: 8, halls: 250 });
