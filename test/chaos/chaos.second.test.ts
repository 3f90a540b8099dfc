import { campaignsHold } from './properties';

campaignsHold(150, 30);
