/*!
 * Time zones by number. Made from resources/timezones/map_data.txt of libphonenumber 9.0.27
 * (https://github.com/google/libphonenumber), and changed: +1 is united by area code, mobile
 * numbers stand for their whole country, some zones are corrected.
 *
 * Copyright (C) 2012 The Libphonenumber Authors. Licensed under the Apache License, Version 2.0;
 * you may obtain a copy at http://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS"
 * BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
// Written by `npm run data:time-zones` (test/timeZones/).

/**
 * A line is the zones that numbers may be in, then what these numbers begin with. The longest
 * beginning counts.
 */
export const ZONES_BY_PREFIX = `America/New_York,America/Chicago,America/Denver,America/Los_Angeles,America/Toronto,America/Vancouver,Pacific/Honolulu,America/Adak,America/Anchorage,America/Anguilla,America/Antigua,America/Barbados,America/Boise,America/Cayman,America/Dominica,America/Edmonton,America/Fort_Nelson,America/Grand_Turk,America/Grenada,America/Halifax,America/Jamaica,America/Juneau,America/Lower_Princes,America/Montserrat,America/Nassau,America/North_Dakota/Center,America/Phoenix,America/Port_of_Spain,America/Puerto_Rico,America/Regina,America/Santo_Domingo,America/St_Johns,America/St_Kitts,America/St_Lucia,America/St_Thomas,America/St_Vincent,America/Tortola,America/Winnipeg,Atlantic/Bermuda,Pacific/Guam,Pacific/Pago_Pago,Pacific/Saipan 1
America/New_York 1201 1202 1203 1207 1212 1215 1216 1220 1223 1227 1229 1231 1234 1239 1240 1248 1252 1260 1267 1269 1272 1276 1283 1301 1302 1304 1305 1313 1315 1317 1321 1324 1326 1329 1330 1332 1336 1339 1347 1351 1352 1363 1380 1386 1401 1404 1407 1410 1412 1413 1419 1434 1440 1443 1445 1463 1470 1472 1475 1478 1484 1502 1508 1513 1516 1517 1518 1540 1551 1561 1567 1570 1571 1582 1585 1586 1603 1607 1609 1610 1614 1616 1617 1631 1640 1645 1646 1656 1667 1678 1680 1681 1686 1689 1703 1704 1706 1716 1717 1718 1724 1727 1728 1732 1734 1740 1743 1754 1757 1762 1765 1770 1771 1772 1774 1781 1786 1802 1803 1804 1810 1813 1814 1821 1826 1828 1835 1838 1839 1843 1845 1848 1854 1856 1857 1859 1860 1862 1863 1864 1865 1878 1904 1908 1910 1912 1914 1917 1919 1929 1934 1937 1941 1943 1947 1948 1954 1959 1973 1978 1980 1984 1989
America/Winnipeg 1204 1431 1584
America/Chicago 1205 1210 1214 1217 1218 1224 1225 1228 1235 1251 1254 1256 1262 1274 1281 1309 1312 1314 1316 1318 1319 1320 1325 1327 1331 1337 1346 1353 1361 1402 1405 1409 1414 1417 1430 1432 1447 1464 1469 1479 1501 1504 1507 1512 1515 1531 1534 1539 1557 1563 1572 1573 1580 1601 1608 1612 1615 1618 1629 1630 1636 1641 1651 1659 1660 1662 1682 1708 1712 1713 1715 1726 1730 1731 1737 1763 1769 1773 1779 1806 1815 1816 1817 1830 1832 1847 1870 1872 1901 1903 1913 1918 1920 1931 1936 1938 1940 1945 1952 1956 1972 1975 1979 1985
America/Los_Angeles 1206 1209 1213 1253 1279 1310 1323 1341 1350 1360 1369 1408 1415 1424 1425 1442 1503 1509 1510 1530 1559 1562 1564 1619 1626 1628 1650 1657 1661 1669 1702 1707 1714 1725 1738 1747 1760 1805 1818 1820 1831 1840 1858 1909 1916 1925 1949 1951 1971
America/Denver,America/Los_Angeles,America/Boise 1208 1775 1986
America/New_York,America/Chicago 1219 1270 1334 1364 1423 1448 1574 1606 1812 1850 1906 1930
America/Toronto 1226 1249 1263 1273 1289 1343 1354 1365 1382 1416 1437 1438 1450 1468 1514 1519 1548 1579 1613 1647 1683 1705 1742 1753 1819 1873 1905 1942
America/Vancouver,America/Edmonton 1236 1250 1257 1672 1778
America/Nassau 1242
America/Barbados 1246
America/Anguilla 1264
America/Antigua 1268
America/Tortola 1284
America/Denver 1303 1307 1385 1406 1435 1505 1575 1719 1720 1748 1801 1915 1970 1983
America/Edmonton,America/Regina 1306 1474 1639
America/Chicago,America/Denver 1308 1620 1785
America/St_Thomas 1340
America/Cayman 1345
America/Toronto,America/Halifax 1367 1418 1581
America/Edmonton 1368 1403 1587 1780 1825
America/Halifax 1428 1506 1782 1902
Atlantic/Bermuda 1441
America/Denver,America/Los_Angeles 1458 1541
America/Grenada 1473
America/Phoenix 1480 1520 1602 1623
America/Vancouver 1604
America/Chicago,America/Denver,America/North_Dakota/Center 1605 1701
America/Grand_Turk 1649
America/Jamaica 1658 1876
America/Montserrat 1664
Pacific/Saipan 1670
Pacific/Guam 1671
Pacific/Pago_Pago 1684
America/Halifax,America/Puerto_Rico,America/St_Johns 1709 1879
America/Lower_Princes 1721
America/St_Lucia 1758
America/Dominica 1767
America/St_Vincent 1784
America/Puerto_Rico 1787 1939
America/Toronto,America/Winnipeg 1807
Pacific/Honolulu 1808
America/Santo_Domingo 1809 1829 1849
America/Toronto,America/Vancouver,America/Edmonton,America/Fort_Nelson,America/Winnipeg 1867
America/Port_of_Spain 1868
America/St_Kitts 1869
Pacific/Honolulu,America/Adak,America/Anchorage,America/Juneau 1907
America/Denver,America/Phoenix 1928
Africa/Cairo 20
Africa/Juba 211
Africa/Casablanca,Africa/El_Aaiun 212
Africa/Algiers 213
Africa/Tunis 216
Africa/Tripoli 218
Africa/Banjul 220
Africa/Dakar 221
Africa/Nouakchott 222
Africa/Bamako 223
Africa/Conakry 224
Africa/Abidjan 225
Africa/Ouagadougou 226
Africa/Niamey 227
Africa/Lome 228
Africa/Porto-Novo 229
Indian/Mauritius 230
Atlantic/Reykjavik 231 245 354
Africa/Freetown 232
Africa/Accra 233
Africa/Lagos 234
Africa/Ndjamena 235
Africa/Bangui 236
Africa/Douala 237
Atlantic/Cape_Verde 238
Africa/Sao_Tome 239
Africa/Malabo 240
Africa/Libreville 241
Africa/Brazzaville 242
Africa/Kinshasa,Africa/Lubumbashi 243
Africa/Kinshasa 2431 2433
Africa/Lubumbashi 2432
Africa/Luanda 244
Indian/Chagos 246
Atlantic/St_Helena 247 290
Indian/Mahe 248
Africa/Khartoum 249
Africa/Kigali 250
Africa/Addis_Ababa 251
Africa/Mogadishu 252
Africa/Djibouti 253
Africa/Nairobi 254
Africa/Dar_es_Salaam 255
Africa/Kampala 256
Africa/Bujumbura 257
Africa/Maputo 258
Africa/Lusaka 260
Indian/Antananarivo 261
Indian/Reunion,Indian/Mayotte 262
Indian/Reunion 262262 262263
Indian/Mayotte 262269
Africa/Harare 263
Africa/Windhoek 264
Africa/Blantyre 265
Africa/Maseru 266
Africa/Gaborone 267
Africa/Mbabane 268
Indian/Comoro 269
Africa/Johannesburg 27
Africa/Asmera 291
America/Aruba 297
Atlantic/Faeroe 298
America/Godthab,America/Scoresbysund,America/Thule 299
America/Godthab 2991 29931 29932 29933 29934 29935 29936 29937 2996 29981 29982 29983 29984 29985 29986 29987 29988 29989 2999
America/Godthab,America/Thule 29997
America/Scoresbysund 29999
Europe/Athens 30
Europe/Amsterdam 31
Europe/Brussels 32
Europe/Paris 33
Europe/Madrid,Atlantic/Canary 34
Europe/Madrid 3481 3482 3483 3484 3485 3486 3487 3488 3491 3492 3493 3494 3495 34960 34961 34962 34963 34964 34965 34966 34967 34968 34971 34972 34974 34975 34976 34977 34978 34979 3498
Atlantic/Canary 34822 34827 34828 34922 34928
Europe/Gibraltar 350
Europe/Lisbon,Atlantic/Azores 351
Europe/Lisbon 3512
Atlantic/Azores 351292 351295 351296
Europe/Luxembourg 352
Europe/London,Europe/Guernsey,Europe/Isle_of_Man 353
Europe/Tirane 355
Europe/Malta 356
Asia/Nicosia 357
Europe/Helsinki,Europe/Mariehamn 358
Europe/Helsinki 35813 35814 35815 35816 35817 35819 35821 35822 35823 35824 35825 35826 35827 35828 35831 35832 35833 35834 35835 35836 35837 35838 35851 35852 35853 35854 35855 35856 35857 35858 35861 35862 35863 35864 35865 35866 35867 35868 35881 35882 35883 35884 35885 35886 35887 35888 3589
Europe/Mariehamn 35818
Europe/Sofia 359
Europe/Budapest 36
Europe/Bucharest 370 371 372 40
Europe/Chisinau 373
Asia/Yerevan 374
Europe/Moscow 375 736 747 748 749 7811 7812 7813 7814 7815 7816 7817 7818 782 783 7841 7843 7844 7847 7855 7856 7857 786 787
Europe/Andorra 376
Europe/Monaco 377
Europe/San_Marino 378
Europe/Kyiv 380
Europe/Belgrade 381 383
Europe/Podgorica 382
Europe/Zagreb 385
Europe/Ljubljana 386
Europe/Sarajevo 387
Europe/Skopje 389
Europe/Rome,Europe/Vatican 39
Europe/Rome 3901 3902 3903 3904 3905 3906 3907 39080 39081 39082 39083 39085 39086 39088 39089 3909
Europe/Vatican 3906698
Europe/Zurich 41
Europe/Prague 420
Europe/Bratislava 421
Europe/Vaduz 423
Europe/Vienna 43
Europe/London,Europe/Guernsey,Europe/Isle_of_Man,Europe/Jersey 44
Europe/London 441 442
Europe/Guernsey 441481
Europe/Jersey 441534
Europe/Isle_of_Man 441624
Europe/Copenhagen 45
Europe/Stockholm 46
Europe/Oslo,Arctic/Longyearbyen 47
Europe/Oslo 472 473 475 476 477
Arctic/Longyearbyen 4779
Europe/Warsaw 48
Europe/Berlin 49
Atlantic/Stanley 500
America/Belize 501
America/Guatemala 502
America/El_Salvador 503
America/Tegucigalpa 504
America/Managua 505
America/Costa_Rica 506
America/Panama 507
America/Miquelon 508
America/Port-au-Prince 509
America/Lima 51
America/New_York,America/Mexico_City,America/Cancun,America/Chihuahua,America/Ciudad_Juarez,America/Matamoros,America/Mazatlan,America/Ojinaga,America/Tijuana 52
America/Mexico_City 522 5231 5232 5233 5234 5235 5237 5238 5239 524 5255 5256 5258 5259 52618 52671 52674 52675 52676 52677 527 5281 5282 5283 5284 5286 5287 5289 5291 5292 5293 5295 5296 5297 5298 5299
America/Mexico_City,America/Tijuana 52200 52663
America/New_York,America/Mexico_City 52201
America/Mazatlan 52311 52319 52323 52324 52325 52327 52389 52612 52613 52615 5262 5263 5264 52651 52653 52660 52662 52667 52668 52669 52672 52673 52687 5269
America/Chihuahua,America/Mazatlan 52614 52621 52625 52627 52628 52629 52635 52636 52639 52648 52652 52657 52659
America/Tijuana 52616 52646 52658 52661 52664 52665 52686
America/Chihuahua,America/Ojinaga 52626
America/Mexico_City,America/Chihuahua,America/Mazatlan 52649
America/Chihuahua,America/Ciudad_Juarez 52656
America/Mexico_City,America/Matamoros 52862 52868 52869 52873 52891 52897
America/Matamoros 52867 52877 52878 52894 52899
America/Mexico_City,America/Cancun 52983 52997
America/Cancun 52984 52987 52998
America/Havana 53
America/Buenos_Aires 54
America/Sao_Paulo,America/Manaus,America/Noronha,America/Rio_Branco 55
America/Sao_Paulo 551 552 5531 5532 5533 5534 5535 5537 5538 5541 5542 55432 55433 55434 55435 5544 5545 5546 5547 55482 55483 55484 55485 5549 5551 5553 5554 5561 5562 5563 5564 557 5582 5583 5584 5585 5586 5587 5588 5589 5596 5598 5599
America/Sao_Paulo,America/Manaus 5555 5566 5567 5569 5591 5592 5593 5594
America/Manaus 5565 5595
America/Rio_Branco 5568
America/Sao_Paulo,America/Noronha 5581
America/Manaus,America/Rio_Branco 5597
America/Santiago,America/Punta_Arenas,Pacific/Easter 56
America/Santiago,America/Punta_Arenas 56809
America/Bogota 57
America/Caracas 58
America/Guadeloupe 590
America/La_Paz 591
America/Guyana 592
America/Guayaquil,Pacific/Galapagos 593 593530
America/Guayaquil 59322 59323 59324 59325 59326 59327 59332 59333 59334 59335 59336 59337 59342 59343 59344 59345 59346 59347 59353 59354 59355 59356 59357 59362 59363 59364 59365 59366 59367 59372 59373 59374 59375 59376 59377
America/Cayenne 594
America/Asuncion 595
America/Martinique 596
America/Paramaribo 597
America/Montevideo 598
America/Curacao,America/Kralendijk 599
America/Kralendijk 599417 59971 59972 59975
America/Curacao 59994 599950 59997 59998
Asia/Kuching 60
Australia/Sydney,Australia/Adelaide,Australia/Perth,Australia/Brisbane,Australia/Darwin,Australia/Eucla,Australia/Lord_Howe,Indian/Christmas,Indian/Cocos 61
Australia/Sydney 612 613
Australia/Lord_Howe 61255053 61255143 61255213 61255280 61255307 61255369 61255413 61255568 61255936 61255937 61265080 61265081 61265082 61265099 61265164 61265251 61265296 61265341 61265606 61265632 61265998
Australia/Sydney,Australia/Brisbane 617
Australia/Brisbane 61721000 61721001 61721002 61721003 6172101 6172102 6172103 6172104 6173018 6173019 617303 6173040 6173041 6173046 617305 61730600 6173061 61730640 61730641 61730643 61730651 61730659 6173066 6173067 6173068 6173069 617307 617308 61730923 61730938 6173096 6173097 61730992 61731 617322 617323 617326 6173291 6173292 6173295 6173296 6173300 61733095 61733099 6173316 6173319 6173322 6173330 6173333 6173342 617335 617336 6173403 6173404 6173405 6173406 6173407 6173411 6173414 617342 6173434 6173435 6173443 6173452 6173455 6173456 6173457 6173460 6173493 61734973 61734974 61734975 61734976 617350 617353 6173540 6173546 6173547 6173548 617355 61735678 617360 6173613 617362 617363 61736404 61736405 61736406 61736409 6173646 6173647 6173648 6173666 61736677 61736678 61736679 61736680 617370 617371 617372 617373 6173748 6173777 61737788 6173811 6173815 6173823 6173828 61738348 61738359 6173887 617389 6173900 6173901 6173904 6173905 6173910 61739110 61739111 61739112 6173914 6173915 61739160 61739161 6173917 6173918 6173922 6173924 61739475 6173999
Australia/Adelaide,Australia/Perth,Australia/Darwin 618510 61851100 61851116 61851119 6185112 6185113 61851140 61851141 61851142 61851143 61851144 61851156 61851158 61851185 61851187 61851209 6185121 61851221 61851227 61851228 61851229 61851231 61851236 61851237 61851238 61851239 6185127 6185128 6185129 61855 6186 6187 6188 6189
Indian/Christmas 61851001 61851030 61851059 61851088 61851117 61851146 61851175 61851204 61851222 61851235 6189164 61891958
Indian/Cocos 61851002 61851031 61851060 61851089 61851118 61851176 61851223 6189162 61891703
Australia/Perth 61851087 6185109 618511 6185120 61851224 61851225 61851226
Australia/Sydney,Australia/Adelaide,Australia/Perth,Australia/Darwin 61851205 61851230 61851232 61851233 61851234 6185124 6185125 6185126 618513 618514
Australia/Adelaide,Australia/Perth,Australia/Darwin,Australia/Eucla 61890393 61890395
Australia/Adelaide,Australia/Perth,Australia/Darwin,Indian/Christmas 61891006 61891007 61891008 61891009 61891149 61891178 61891181 61891209 61891263 61891312 61891326 61891375 61891456 61891497 61891700 61891701 61891710 61891711 61891712
Australia/Adelaide,Australia/Perth,Australia/Darwin,Indian/Cocos 61891010 61891011 61891012 61891029 61891122 61891150 61891179 61891182 61891210 61891264 61891308 61891322 61891368 61891428 61891498 61891702 61891959
Asia/Jakarta,Asia/Jayapura,Asia/Makassar 62
Asia/Jakarta 622 6231 6232 6233 6234 6235 62513 62515 62519 62522 62525 62528 6253 6256 626 627
Asia/Makassar 6236 6237 6238 624 62511 62512 62517 62518 62527 6254 6255
Asia/Jakarta,Asia/Makassar 62379 62458 62516 62526 62539
Asia/Jayapura,Asia/Makassar 62403
Asia/Jayapura 6290 6291 6292 62951 62955 62956 62957 62962 62966 62967 62969 62971 62975 6298
Asia/Jakarta,Asia/Jayapura 62915 62920 62952 62958 62963 62979
Asia/Manila 63
Pacific/Auckland,Pacific/Chatham 64 64330
Pacific/Auckland 6424 643 644 646 6472 6473 6474 6475 6477 6478 6479 6492 6493 6494 6495 6496 6497 6498 6499
Asia/Singapore 65
Asia/Bangkok 66
Asia/Dili 670
Pacific/Norfolk 672
Asia/Brunei 673
Pacific/Nauru 674
Pacific/Port_Moresby,Pacific/Bougainville 675
Pacific/Tongatapu 676
Pacific/Guadalcanal 677
Pacific/Efate 678
Pacific/Fiji 679
Pacific/Palau 680
Pacific/Wallis 681
Pacific/Rarotonga 682
Pacific/Niue 683
Pacific/Apia 685
Pacific/Enderbury,Pacific/Kiritimati,Pacific/Tarawa 686
Pacific/Noumea 687
Pacific/Funafuti 688
Pacific/Tahiti,Pacific/Gambier,Pacific/Marquesas 689 689409
Pacific/Tahiti 68940 689494 689495 689496 689498
Pacific/Fakaofo 690
Pacific/Kosrae,Pacific/Ponape,Pacific/Truk 691
Pacific/Majuro 692
Europe/Moscow,Asia/Almaty,Asia/Anadyr,Asia/Aqtobe,Asia/Irkutsk,Asia/Kamchatka,Asia/Krasnoyarsk,Asia/Magadan,Asia/Novosibirsk,Asia/Omsk,Asia/Sakhalin,Asia/Vladivostok,Asia/Yakutsk,Asia/Yekaterinburg,Europe/Kaliningrad,Europe/Samara 7
Asia/Irkutsk 7301 7395
Asia/Yakutsk 7302 7416
Asia/Yekaterinburg 733 734 735
Europe/Samara 7341 7842 7845 7846 7848 7851
Asia/Omsk 7381
Asia/Novosibirsk 7382 7383
Asia/Krasnoyarsk 7384 7385 7388 7390 7391 7394
Europe/Kaliningrad 740
Asia/Magadan,Asia/Vladivostok,Asia/Yakutsk 7411
Asia/Magadan 7413
Asia/Kamchatka 7415
Asia/Vladivostok 7421 7423 7426
Asia/Sakhalin 7424
Asia/Anadyr 7427
Asia/Almaty,Asia/Aqtobe 77
Asia/Almaty 771 772
Asia/Aqtobe 7711 7712 7713 7729
Europe/Moscow,Europe/Kaliningrad 7840
Asia/Tokyo 81
Asia/Seoul 82 850
Asia/Ho_Chi_Minh 84
Asia/Hong_Kong 852
Asia/Shanghai 853 86
Asia/Phnom_Penh 855
Asia/Vientiane 856
Asia/Dhaka 880
Asia/Taipei 886
Asia/Nicosia,Europe/Istanbul 90
Asia/Calcutta 91
Asia/Karachi 92
Asia/Kabul 93
Asia/Colombo 94
Asia/Rangoon 95
Indian/Maldives 960
Asia/Beirut 961
Asia/Amman 962
Asia/Damascus 963
Asia/Baghdad 964
Asia/Kuwait 965
Asia/Riyadh 966
Asia/Aden 967
Asia/Muscat 968
Asia/Gaza,Asia/Hebron 970
Asia/Dubai 971
Asia/Jerusalem 972
Asia/Bahrain 973
Asia/Qatar 974
Asia/Thimphu 975
Asia/Ulaanbaatar,Asia/Choibalsan,Asia/Hovd 976
Asia/Ulaanbaatar 97611 97612 97613 97615 97621 97622 97623 97625 97653 97656 97658
Asia/Ulaanbaatar,Asia/Choibalsan 9761362 9762362
Asia/Ulaanbaatar,Asia/Hovd 97614 97624 97670
Asia/Choibalsan 976158 976258
Asia/Katmandu 977
Asia/Tehran 98
Asia/Dushanbe 992
Asia/Ashgabat 993
Asia/Baku 994
Asia/Tbilisi 995
Asia/Bishkek 996
Asia/Tashkent 998`;
