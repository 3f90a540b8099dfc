import { campaignsHold } from './properties';

campaignsHold(150, 40);
