import { SEED } from '../seed';
import { campaignsHold } from './properties';
import { seedsFrom } from './series';

campaignsHold([...seedsFrom(SEED * 1_000, 150)], 30);
