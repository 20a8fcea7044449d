module lyceum/cluster/pause

go 1.26
